import { h } from 'vue';
import { t } from '../i18n/index.ts';
import type { Handover } from './handover.ts';
import HandoverPaper from './HandoverPaper.vue';
import type { Paper } from './paper.ts';
import { paperTimes } from './paperTime.ts';
import type { Sheet } from './sheet.ts';
import SheetPaper from './SheetPaper.vue';

// What goes to paper. Features load it when something does: no start of the page needs it.
export { paperDocument } from './document.ts';
export { dataAddress } from './fonts.ts';
export { printPaper } from './printing.ts';

/** The size of its pages is that of the paper in the printer: it is printed where the next operator sits. */
export function handoverPaper(handover: Handover): Paper {
  const { report, zone } = handover;
  const time = paperTimes(zone).instant(report.madeAt);
  return {
    title: t('print.handover.titleAt', { time }),
    size: null,
    foot: t('print.sheet.foot', { deployment: report.deployment.name, time }),
    band: report.training ? t('core.sheet.training') : null,
    view: () => h(HandoverPaper, { handover }),
  };
}

export const sheetPaper = (sheet: Sheet): Paper => ({
  title: t('print.sheet.title', { deployment: sheet.deployment }),
  size: sheet.size,
  foot: t('print.sheet.foot', {
    deployment: sheet.deployment,
    time: paperTimes(sheet.zone).instant(sheet.madeAt),
  }),
  band: sheet.training ? t('core.sheet.training') : null,
  view: () => h(SheetPaper, { sheet }),
});
