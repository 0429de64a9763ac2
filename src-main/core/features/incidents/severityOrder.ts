import {
  severityNames,
  type AlarmSettings,
  type SeverityClass,
  type SeverityName,
  type SeverityScale,
} from '../../../../src-preload/contract/index.ts';

const loudness = (mark: SeverityName): number => severityNames.indexOf(mark);

/** Whether a severity is at or above the least that alarms. One without a rank is, but for `none`. */
export const reaches = ({ known, mark }: SeverityClass, least: AlarmSettings['least']): boolean =>
  least !== 'none' && (!known || loudness(mark) >= loudness(least));

/** Whether a change of severity is a rise. Where one of the two has no rank, nothing proves that it is none. */
export const rose = (before: SeverityClass, after: SeverityClass): boolean =>
  before.key !== after.key && (!before.known || !after.known || after.weight > before.weight);

/** Sorts severities: positive where `a` is the worse. Beside one that weighs the same, one with a rank is named. */
export const comparedTo = (a: SeverityClass, b: SeverityClass): number =>
  a.weight - b.weight || Number(a.known) - Number(b.known);

/** How urgent an incident of a severity sounds; one without a rank as the worst do. */
export function levelOf({ mark }: SeverityClass): 1 | 2 | 3 {
  switch (mark) {
    case 'critical':
    case 'unknown':
      return 3;
    case 'high':
      return 2;
    case 'medium':
    case 'low':
      return 1;
  }
}

/** The worst of some severities, by name; null when there is none. */
export function worstOf(severities: readonly (string | null)[], scale: SeverityScale): string | null {
  let worst: SeverityClass | null = null;
  for (const severity of severities) {
    if (severity === null) continue;
    const one = scale.classOf(severity);
    if (worst === null || comparedTo(one, worst) > 0) worst = one;
  }
  return worst?.name ?? null;
}
