import {
  severityNames,
  type AlarmSettings,
  type SeverityClass,
  type SeverityName,
  type SeverityScale,
} from '../../../../src-preload/contract/index.ts';

const loudness = (mark: SeverityName): number => severityNames.indexOf(mark);

/** Whether a severity is at or above the least that alarms. A severity without a rank is, except `none`. */
export const reaches = ({ known, mark }: SeverityClass, least: AlarmSettings['least']): boolean =>
  least !== 'none' && (!known || loudness(mark) >= loudness(least));

/** Whether a change of severity is a rise. A change from or to a severity without a rank counts as one. */
export const rose = (before: SeverityClass, after: SeverityClass): boolean =>
  before.key !== after.key && (!before.known || !after.known || after.weight > before.weight);

/** Sorts severities: positive where `a` is worse. Of two with the same weight, the one with a rank comes first. */
export const comparedTo = (a: SeverityClass, b: SeverityClass): number =>
  a.weight - b.weight || Number(a.known) - Number(b.known);

/** How urgent an incident of a severity sounds. One without a rank sounds like the worst. */
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

/** The worst of some severities, by its spelling; null when there is none. */
export function worstOf(severities: readonly (string | null)[], scale: SeverityScale): string | null {
  let worst: SeverityClass | null = null;
  for (const severity of severities) {
    if (severity === null) continue;
    const one = scale.classOf(severity);
    if (worst === null || comparedTo(one, worst) > 0) worst = one;
  }
  return worst?.name ?? null;
}
