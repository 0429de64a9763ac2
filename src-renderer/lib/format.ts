import type { Preferences } from '../../src-preload/contract/index.ts';

/** All texts made of numbers and times. Times are Unix milliseconds, in station time. */
export type Zone = Preferences['zone'];

const counts = new Intl.NumberFormat('en-US');

/** `1,707`. */
export const count = (value: number): string => counts.format(value);

/** `1 incident`, `1,707 incidents`. */
export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** `the last hour, severity high and status open`. */
export const listed = (clauses: readonly string[]): string => lists.format(clauses);

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A span in its one or two largest units: `12 s`, `4 min`, `1 h 20 min`, `3 d 4 h`. Never negative. */
export function span(ms: number): string {
  const length = Math.max(0, ms);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return `${Math.floor(length / minute)} min`;
  const [big, bigName, small, smallName] =
    length < day ? [hour, 'h', minute, 'min'] : ([day, 'd', hour, 'h'] as const);
  const whole = Math.floor(length / big);
  const rest = Math.floor((length - whole * big) / small);
  return rest === 0 || whole >= 10 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}

/** A span in one unit, for narrow columns: `12 s`, `4 min`, `1 h`, `3 d`. */
export function shortSpan(ms: number): string {
  const length = Math.max(0, ms);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return `${Math.floor(length / minute)} min`;
  if (length < 2 * day) return `${Math.floor(length / hour)} h`;
  return `${Math.floor(length / day)} d`;
}

/** `12 s ago`; a time ahead of now is said to be so, not shown as now. */
export function ago(at: number, now: number): string {
  if (at - now > 5 * second) return `in ${span(at - now)}`;
  return `${span(now - at)} ago`;
}

const zoned = (options: Intl.DateTimeFormatOptions): Readonly<Record<Zone, Intl.DateTimeFormat>> => ({
  utc: new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }),
  local: new Intl.DateTimeFormat('en-GB', options),
});
const clockFormats = zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const shortFormats = zoned({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormats = zoned({ year: 'numeric', month: 'short', day: 'numeric' });
const shortDayFormats = zoned({ month: 'short', day: 'numeric' });

const representable = (at: number): boolean => Math.abs(at) <= 8_640_000_000_000_000;
const zoneName = (zone: Zone): string => (zone === 'utc' ? 'UTC' : 'local');

/** `14:02:31 UTC`. */
export function clockTime(at: number, zone: Zone): string {
  return representable(at) ? `${clockFormats[zone].format(at)} ${zoneName(zone)}` : 'unknown time';
}

/** `14:02 UTC`. */
export function shortTime(at: number, zone: Zone): string {
  return representable(at) ? `${shortFormats[zone].format(at)} ${zoneName(zone)}` : 'unknown time';
}

/** `18 Nov 2026, 14:02:31 UTC`. */
export function dateTime(at: number, zone: Zone): string {
  return representable(at) ? `${dayFormats[zone].format(at)}, ${clockTime(at, zone)}` : 'unknown time';
}

/** `18 Nov, 14:02:31 UTC`. */
export function moment(at: number, zone: Zone): string {
  return representable(at) ? `${shortDayFormats[zone].format(at)}, ${clockTime(at, zone)}` : 'unknown time';
}

/** `14:02 UTC` within a day of `now`, where it cannot be mistaken; else `18 Nov, 14:02 UTC`. */
export function shortMoment(at: number, now: number, zone: Zone): string {
  if (!representable(at)) return 'unknown time';
  const near = Math.abs(now - at) < 20 * hour;
  return near ? shortTime(at, zone) : `${shortDayFormats[zone].format(at)}, ${shortTime(at, zone)}`;
}

/** Five decimals, about a metre: `38.82220° N`. */
function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;
}

export const latitudeText = (latitude: number): string => degrees(latitude, 'N', 'S');
export const longitudeText = (longitude: number): string => degrees(longitude, 'E', 'W');

/** For rows: three decimals, about 100 m: `38.822, -122.765`. */
export const placeText = (latitude: number, longitude: number): string =>
  `${latitude.toFixed(3)}, ${longitude.toFixed(3)}`;

/** `1,204 m above sea level`, `35.5 m below sea level`, of metres above it (interface: Location). */
export const altitudeText = (metres: number): string =>
  `${counts.format(Math.abs(Math.round(metres * 10) / 10))} m ${metres < 0 ? 'below' : 'above'} sea level`;

/** `312 ms`, `1.2 s`. */
export const responseTime = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** Words of the specification and of the console's own levels; every other value is shown verbatim. */
const ownWords: ReadonlySet<string> = new Set([
  ...['critical', 'high', 'medium', 'low', 'open', 'resolved'],
  ...['ok', 'degraded', 'down', 'available', 'not available'],
]);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A known word with its first letter raised; a value that is not known stays as it came. */
export const raised = (word: string): string => (ownWords.has(word) ? capital(word) : word);

/** An incident's type as a heading: plain words get a capital, anything else stays as it came. */
export const headed = (type: string): string => (/^[a-z]+( [a-z]+)*$/.test(type) ? capital(type) : type);
