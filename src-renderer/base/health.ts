import type { ConsoleState, HealthCheck, Level } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { inRow } from './format.ts';
import { messageText } from './messages.ts';
import { isSeenNow, type ShownFreshness } from './liveState.ts';

/** How an integration is shown; `stale` when the last answer is too old to vouch for it. */
export type ShownLevel = Level | 'stale';

/** A level as a single word: `Degraded`. */
export const levelWord = (level: ShownLevel): string => t(`health.level.${level}`);
/** The same after the name of what has it: `degraded`. */
export const levelInLine = (level: ShownLevel): string => t(`health.levelInLine.${level}`);

/** A level that is not seen now is no level: what an unreachable service said last is stale. */
export const shownLevel = (level: Level, shown: ShownFreshness): ShownLevel =>
  shown === 'none' || isSeenNow(shown) ? level : 'stale';

/** The integrations as they are shown, each with its name. */
export const shownIntegrations = (
  health: ConsoleState['health'] | undefined,
  shown: ShownFreshness,
): { readonly field: string; readonly label: string; readonly level: ShownLevel }[] =>
  (health?.integrations ?? []).map(({ field, label, level }) => ({
    field,
    label: messageText(label),
    level: shownLevel(level, shown),
  }));

/** What one check says about one field; `unreachable` when no answer came at all. */
export type StripLevel = Level | 'unreachable';

export function stripLevel(check: HealthCheck, field: string | null): StripLevel {
  if (check.outcome !== 'answered') return 'unreachable';
  return field === null ? check.overall : (check.levels[field] ?? 'unknown');
}

/** The strip in words, for those who do not see it: `Last 60 checks: 57 OK, 3 not reached`. */
export function stripSummary(levels: readonly StripLevel[]): string {
  if (levels.length === 0) return t('health.strip.none');
  const order: readonly StripLevel[] = ['ok', 'degraded', 'down', 'unknown', 'unreachable'];
  const parts = order
    .map((level) => [level, levels.filter((other) => other === level).length] as const)
    .filter(([, times]) => times > 0)
    .map(([level, times]) => t(`health.strip.${level}`, {}, times));
  return t('health.strip.last', { parts: inRow(parts) }, levels.length);
}
