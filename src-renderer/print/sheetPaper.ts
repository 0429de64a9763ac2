import { h } from 'vue';
import { t } from '../i18n/index.ts';
import { isolated, type Paper } from './paper.ts';
import { paperTimes } from './paperTime.ts';
import type { Sheet } from './sheet.ts';
import SheetPaper from './SheetPaper.vue';

export const sheetPaper = (sheet: Sheet): Paper => ({
  title: t('print.sheet.title', { deployment: sheet.deployment }),
  size: sheet.size,
  foot: t('print.sheet.foot', {
    deployment: isolated(sheet.deployment),
    time: paperTimes(sheet.zone).instant(sheet.madeAt),
  }),
  band: sheet.training ? t('core.sheet.training') : null,
  view: () => h(SheetPaper, { sheet }),
});
