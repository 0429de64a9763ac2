import { h } from 'vue';
import { t } from '../i18n/index.ts';
import type { Handover } from './handover.ts';
import HandoverPaper from './HandoverPaper.vue';
import { isolated, type Paper } from './paper.ts';
import { paperTimes } from './paperTime.ts';

/** The size of its pages is that of the paper in the printer: it is printed where the next operator sits. */
export function handoverPaper(handover: Handover): Paper {
  const { report, zone } = handover;
  const time = paperTimes(zone).instant(report.madeAt);
  return {
    title: t('print.handover.titleAt', { time }),
    size: null,
    foot: t('print.sheet.foot', { deployment: isolated(report.deployment.name), time }),
    band: report.training ? t('core.sheet.training') : null,
    view: () => h(HandoverPaper, { handover }),
  };
}
