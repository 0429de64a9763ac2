import type { IncidentNews, NewsTally } from './newsTally.ts';

const numbers = new Intl.NumberFormat('en');
const grouped = (count: number): string => numbers.format(count);

/** 14:02 UTC */
const timeOf = (instant: number): string => `${new Date(instant).toISOString().slice(11, 16)} UTC`;

const counted = (count: number, one: string, more: string): string =>
  count === 1 ? one : `${grouped(count)} ${more}`;

const withWorst = ({ worst }: NewsTally): string =>
  worst === null ? '' : `, ${grouped(worst.count)} of them ${worst.severity}`;

/** What alarms say. None of it leaves the slice `alarms`, which a locked console withholds. */
export const sentences = {
  incident: ({ record, before }: IncidentNews): string =>
    before === null
      ? `New ${record.severity} incident: ${record.incidentType}.`
      : `An incident rose from ${before} to ${record.severity}: ${record.incidentType}.`,
  /** `known` counts all incidents, also those that alarm nobody. */
  firstReading: (known: number, tally: NewsTally): string =>
    `${counted(known, 'One incident', 'incidents')} known${withWorst(tally)}.`,
  away: (tally: NewsTally): string =>
    `${counted(tally.count, 'One incident', 'incidents')} came while this console was away${withWorst(tally)}.`,
  batch: (tally: NewsTally): string =>
    `${counted(tally.count, 'One new or escalated incident', 'new or escalated incidents')}${withWorst(tally)}.`,
  merged: (count: number, worst: string | null): string =>
    `${grouped(count)} new or escalated incidents, the worst of them ${worst ?? 'of no severity'}.`,
  folded: (count: number, worst: string | null): string =>
    `${grouped(count)} more incidents, the worst of them ${worst ?? 'of no severity'}.`,
  integrationDown: (label: string): string => `${label} is down.`,
  integrationRecovered: (label: string, wentDownAt: number, at: number): string =>
    `${label} was down from ${timeOf(wentDownAt)} and recovered at ${timeOf(at)}.`,
  sessionEnded: (): string => 'The session has ended. Sign in again: uploads and readings wait.',
  sessionBack: (at: number): string => `The session had ended and is live again since ${timeOf(at)}.`,
  uploadsWait: (count: number): string =>
    `${counted(count, 'An upload needs a decision', 'uploads need a decision')}: until then it is not known whether the service has the ${count === 1 ? 'file' : 'files'}.`,
  uploadsSettled: (): string => 'The uploads that needed a decision are settled.',
} as const;
