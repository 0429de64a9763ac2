import { shallowRef } from 'vue';
import {
  openRule,
  scaleOf,
  statusClassOf,
  type IsOpen,
  type SeverityClass,
  type SeverityName,
  type SeverityScale,
} from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { visible } from '../i18n/visible.ts';
import { either, headed, inLine, raised, spaced } from './format.ts';

/** How the deployment ranks severities; of the page as its language is. The mirror writes it. */
export const severityScale = shallowRef<SeverityScale>(scaleOf(null));

/** Which statuses are open in the deployment; the mirror writes it too. */
export const openStatuses = shallowRef<IsOpen>(openRule());

/** The mark of a severity, however it is written. */
export const markOf = (severity: string): SeverityName => severityScale.value.classOf(severity).mark;

/** Whether a severity asks for a look at once: critical, or without a rank, which may be as bad. */
export const countsAsCritical = (severity: string): boolean =>
  ['critical', 'unknown'].includes(markOf(severity));

const nameOf = (severity: string): string => severityScale.value.classOf(severity).name;

/** A severity's name as it begins a line; one without a rank stays as it came. */
function wordOf({ name, known }: SeverityClass): string {
  const word = raised(name);
  return known ? headed(word) : word;
}

/** A severity as it begins a line, the same for all its spellings; one that is empty or unreadable is unknown. */
export const severityWord = (severity: string): string =>
  wordOf(severityScale.value.classOf(severity)) || t('words.unknownSeverity');
/** The same within a line. */
export const severityInLine = (severity: string): string =>
  inLine(nameOf(severity)) || t('words.inLine.unknownSeverity');

/** Statuses of plain words in one case, whatever the service sends: `IN_PROGRESS` is `in progress`. */
function statusName(status: string): string {
  const words = spaced(statusClassOf(status).name);
  return /^[a-z]+( [a-z]+)*$/i.test(words) ? words.toLowerCase() : words;
}
/** A status as it begins a line, the same for all its spellings; one that is empty or unreadable is unknown. */
export const statusWord = (status: string): string =>
  headed(raised(statusName(status))) || t('words.unknownStatus');
/** The same within a line. */
export const statusInLine = (status: string): string =>
  inLine(statusName(status)) || t('words.inLine.unknownStatus');

/** A type as a heading; one that is empty or unreadable is unknown. */
export const typeWord = (type: string): string => headed(type) || t('words.unknownType');

/** What a mark stands for in a legend: every severity that the deployment draws with it. */
export function markWord(mark: SeverityName): string {
  if (mark === 'unknown') return t('words.unranked');
  const ranked = severityScale.value.ranked.filter((one) => one.mark === mark);
  return either(ranked.map((one) => visible(wordOf(one))));
}
