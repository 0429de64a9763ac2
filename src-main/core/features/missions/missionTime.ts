import { isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { mostFields } from '../../base/shownFields.ts';
import { readInstant } from '../../base/timestamp.ts';

/** Words for how a mission came to be, the best first. */
const beginnings = [
  ['requested', 'request'],
  ['asked', 'ordered', 'proposed', 'submitted', 'submission', 'filed'],
  ['created', 'creation', 'raised', 'opened', 'issued', 'registered'],
  ['queued', 'received', 'pending', 'waiting'],
];
/** Words beside these that leave the meaning as it is: `requested_by` and `drone_created_at` mean something else. */
const fillers = new Set(
  'at on since time times date timestamp timestamps ts utc ms unix epoch mission approval meta metadata info'.split(
    ' ',
  ),
);
/** Before this there was no service: a time of nought is no time. */
const earliest = Date.UTC(2000, 0, 1);
/** The service's time is an estimate. */
const mostAhead = 5 * 60_000;

const wordsOf = (path: string): string[] =>
  path
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** How well a name says that it is the time of a mission's request, 0 the best; null where it does not. */
function rankOf(path: string): number | null {
  const words = wordsOf(path);
  const rank = beginnings.findIndex((names) => words.some((word) => names.includes(word)));
  const known = (word: string): boolean => fillers.has(word) || beginnings.flat().includes(word);
  return rank >= 0 && words.every(known) ? rank : null;
}

/**
 * When a mission was requested, by the service's own words, Unix milliseconds. The names of its fields are not
 * specified: `requested_at`, `createdAt` and the like, also in an object one level deeper; in a list also `timestamp`,
 * which in an event is the event's own.
 *
 * @returns null where no field says, or its time is after `now`.
 */
export function requestedAtOf(mission: JsonObject, from: 'list' | 'event', now: number): number | null {
  const fields = Object.keys(mission)
    .slice(0, mostFields)
    .flatMap((name): [string, unknown][] => {
      const value = ownValue(mission, name);
      if (!isObject(value)) return [[name, value]];
      const inner = Object.keys(value).slice(0, mostFields);
      return inner.map((deeper) => [`${name} ${deeper}`, ownValue(value, deeper)]);
    });
  const times = fields.flatMap(([name, value]) => {
    const plain = from === 'list' && name.toLowerCase() === 'timestamp' ? beginnings.length : null;
    const rank = rankOf(name) ?? plain;
    const at = rank === null ? null : readInstant(value);
    return rank === null || at === null || at < earliest || at > now + mostAhead ? [] : [{ rank, at }];
  });
  const [best] = times.toSorted((a, b) => a.rank - b.rank);
  return best?.at ?? null;
}
