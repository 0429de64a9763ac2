import { computed } from 'vue';
import { foldWord, type Preferences } from '../../src-preload/contract/index.ts';
import { language, t, type MessageKey } from '../i18n/index.ts';

/** All texts made of numbers and times. Times are Unix milliseconds, in server time. */
export type Zone = Preferences['zone'];

/**
 * The language's tag for Intl. Digits are Latin and the calendar Gregorian in every language: what is read here
 * is compared with maps, radio messages and other systems, and read out to people who share no language.
 */
export const locale = computed(() =>
  language.value === 'en' ? 'en-GB' : `${language.value}-u-ca-gregory-nu-latn`,
);

const counts = computed(() => new Intl.NumberFormat(locale.value));

/** `1,707`. */
export const count = (value: number): string => counts.value.format(value);

/** `1 incident`, `1,707 incidents`. */
export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`;

const listOf = (options: Intl.ListFormatOptions) =>
  computed(() => new Intl.ListFormat(locale.value, options));
const lists = listOf({ type: 'conjunction' });
// The languages that can leave out their "and" do so in this style.
const rowLists = listOf({ type: 'conjunction', style: 'narrow' });
/** Of the languages that write another one. */
const commas: Partial<Record<string, string>> = { ar: '، ', zh: '，' };
const choices = listOf({ type: 'disjunction' });

/** `the last hour, severity high and status open`. */
export const listed = (clauses: readonly string[]): string => lists.value.format(clauses);

/** `high, low`: a list outside of a sentence. */
export const inRow = (parts: readonly string[]): string => rowLists.value.format(parts);

/** `24 drones, 2 silent`: a count, and how many of it. An "and" would add the two up. */
export const tally = (counts: readonly string[]): string =>
  counts.join(commas[new Intl.Locale(locale.value).language] ?? ', ');

/** `high or critical`. */
export const either = (values: readonly string[]): string => choices.value.format(values);

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

type Unit = 'time.milliseconds' | 'time.seconds' | 'time.minutes' | 'time.hours' | 'time.days';
/** A figure stays on one line with its unit, and with `ago`: apart, they are read as two things. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0');
const inUnit = (ms: number, unit: number, key: Unit): string =>
  unbroken(t(key, { n: Math.floor(ms / unit) }));

/** A span in its one or two largest units: `12 s`, `4 min`, `1 h 20 min`, `3 d 4 h`. Never negative. */
export function span(ms: number): string {
  const length = Math.max(0, ms);
  if (length < minute) return inUnit(length, second, 'time.seconds');
  if (length < hour) return inUnit(length, minute, 'time.minutes');
  const [big, bigKey, small, smallKey] =
    length < day
      ? ([hour, 'time.hours', minute, 'time.minutes'] as const)
      : ([day, 'time.days', hour, 'time.hours'] as const);
  const whole = Math.floor(length / big);
  const rest = length - whole * big;
  const large = inUnit(length, big, bigKey);
  return rest < small || whole >= 10
    ? large
    : unbroken(t('time.twoUnits', { large, small: inUnit(rest, small, smallKey) }));
}

/** A span in one unit, for narrow columns: `12 s`, `4 min`, `1 h`, `3 d`. NaN for one that is unknown. */
export function shortSpan(ms: number): string {
  if (Number.isNaN(ms)) return t('time.unknown');
  const length = Math.max(0, ms);
  if (length < minute) return inUnit(length, second, 'time.seconds');
  if (length < hour) return inUnit(length, minute, 'time.minutes');
  if (length < 2 * day) return inUnit(length, hour, 'time.hours');
  return inUnit(length, day, 'time.days');
}

/**
 * `12 s ago`. For what the console saw itself: it never lies ahead, also where the service's time was
 * corrected backwards since, or `now` goes in steps.
 */
export const ago = (at: number, now: number): string => unbroken(t('time.ago', { span: span(now - at) }));

/** The same of a time that the service claims: one ahead of now is said to be so, not shown as now. */
export const agoOrAhead = (at: number, now: number): string =>
  at - now > 5 * second ? unbroken(t('time.ahead', { span: span(at - now) })) : ago(at, now);

const zoned = (options: Intl.DateTimeFormatOptions) =>
  computed<Readonly<Record<Zone, Intl.DateTimeFormat>>>(() => ({
    utc: new Intl.DateTimeFormat(locale.value, { ...options, timeZone: 'UTC' }),
    local: new Intl.DateTimeFormat(locale.value, options),
  }));
const clockFormats = zoned({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const shortFormats = zoned({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormats = zoned({ year: 'numeric', month: 'short', day: 'numeric' });
const shortDayFormats = zoned({ month: 'short', day: 'numeric' });
const yearFormats = zoned({ year: 'numeric' });
const weekdayFormats = zoned({ weekday: 'short', month: 'short', day: 'numeric' });

const representable = (at: number): boolean => Math.abs(at) <= 8_640_000_000_000_000;
/** `UTC`, `local`: what stands beside every time of day. */
export const zoneName = (zone: Zone): string => t(zone === 'utc' ? 'time.utc' : 'time.local');

/** A time that no calendar holds is said to be unknown; everything else is labelled with its zone. */
const labelled = (at: number, zone: Zone, time: () => string): string =>
  representable(at) ? t('time.zoned', { time: time(), zone: zoneName(zone) }) : t('time.unknown');
const dated = (date: string, time: string): string => t('time.dated', { date, time });

/** `14:02:31`, for where the zone's name stands beside it in another place. */
export const clockFace = (at: number, zone: Zone): string =>
  representable(at) ? clockFormats.value[zone].format(at) : t('time.unknown');

/** `14:02:31 UTC`. */
export const clockTime = (at: number, zone: Zone): string => labelled(at, zone, () => clockFace(at, zone));

const shortFace = (at: number, zone: Zone): string => shortFormats.value[zone].format(at);
/** `14:02 UTC`. */
export const shortTime = (at: number, zone: Zone): string => labelled(at, zone, () => shortFace(at, zone));

/** `18 Nov 2026, 14:02:31 UTC`. */
export const dateTime = (at: number, zone: Zone): string =>
  labelled(at, zone, () => dated(longDay(at, zone), clockFace(at, zone)));

const longDay = (at: number, zone: Zone): string => dayFormats.value[zone].format(at);
/** Whether two times fall on one day of the zone. */
export const sameDay = (a: number, b: number, zone: Zone): boolean => longDay(a, zone) === longDay(b, zone);
const shortDay = (at: number, zone: Zone): string => shortDayFormats.value[zone].format(at);
/** `18 Nov, 14:02:31 UTC`. */
export const moment = (at: number, zone: Zone): string =>
  labelled(at, zone, () => dated(shortDay(at, zone), clockFace(at, zone)));

/** Whether a time of day alone cannot be mistaken. */
const isNear = (at: number, now: number): boolean => Math.abs(now - at) < 20 * hour;

/** `14:02 UTC` within a day of `now`, where it cannot be mistaken; else `18 Nov, 14:02 UTC`. */
export function shortMoment(at: number, now: number, zone: Zone): string {
  return isNear(at, now)
    ? shortTime(at, zone)
    : labelled(at, zone, () => dated(shortDay(at, zone), shortFace(at, zone)));
}

/**
 * `18 Nov, 06:00 to 12:00 UTC`; `18 Nov, 22:00 to 19 Nov, 06:00 UTC`; with years where they differ. Unix ms,
 * both ends as they are written.
 */
export function timeSpan(from: number, to: number, zone: Zone): string {
  if (!representable(from) || !representable(to)) return t('time.unknown');
  const sameYear = yearFormats.value[zone].format(from) === yearFormats.value[zone].format(to);
  const dayOf = (at: number): string => (sameYear ? shortDay : longDay)(at, zone);
  const end = sameDay(from, to, zone) ? shortFace(to, zone) : dated(dayOf(to), shortFace(to, zone));
  return labelled(to, zone, () =>
    t('time.fromTo', { from: dated(dayOf(from), shortFace(from, zone)), to: end }),
  );
}

/** `19:58 to 20:01 UTC` within a day of `now`, where it cannot be mistaken; else as `timeSpan`. */
export const shortTimeSpan = (from: number, to: number, now: number, zone: Zone): string =>
  isNear(from, now) && isNear(to, now)
    ? labelled(to, zone, () => t('time.fromTo', { from: shortFace(from, zone), to: shortFace(to, zone) }))
    : timeSpan(from, to, zone);

/** `Wed, 18 Nov`; the zone's name stands beside the clock under it. */
export const weekday = (at: number, zone: Zone): string => weekdayFormats.value[zone].format(at);

/** `312 ms`, `1.2 s`. */
export const responseTime = (ms: number): string =>
  unbroken(
    ms < 1_000
      ? t('time.milliseconds', { n: Math.round(ms) })
      : t('time.seconds', { n: tenths.value.format(ms / 1_000) }),
  );
const tenths = computed(
  () => new Intl.NumberFormat(locale.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);

/** Words of the specification and of the console's own levels; every other value is shown verbatim. */
const ownWords: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ['critical', 'words.critical'],
  ['high', 'words.high'],
  ['medium', 'words.medium'],
  ['low', 'words.low'],
  ['open', 'words.open'],
  ['resolved', 'words.resolved'],
  ['ok', 'words.ok'],
  ['degraded', 'words.degraded'],
  ['down', 'words.down'],
  ['available', 'words.available'],
  ['not available', 'words.notAvailable'],
]);

/** The same where they stand within a line: severities, said of the language's word for severity, and statuses. */
const ownWordsInLine: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ['critical', 'words.inLine.critical'],
  ['high', 'words.inLine.high'],
  ['medium', 'words.inLine.medium'],
  ['low', 'words.inLine.low'],
  ['open', 'words.inLine.open'],
  ['resolved', 'words.inLine.resolved'],
]);

/** Spellings tell no words apart that fold to the same. */
function known(word: string, words: ReadonlyMap<string, MessageKey>): string {
  const key = words.get(foldWord(word));
  return key === undefined ? word : t(key);
}

/** A known word in the page's language, as it begins a line; a value that is not known stays as it came. */
export const raised = (word: string): string => known(word, ownWords);

/** A known severity or status in the page's language, as it stands within a line; else as it came. */
export const inLine = (word: string): string => known(word, ownWordsInLine);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The words of an identifier such as `in_progress`; anything else stays as it came. */
export const spaced = (word: string): string =>
  /^[a-z]+(_[a-z]+)+$/i.test(word) ? word.replaceAll('_', ' ') : word;

/** An incident's type as a heading: plain words get a capital, anything else stays as it came. */
export function headed(type: string): string {
  const words = spaced(type);
  return /^[a-z]+( [a-z]+)*$/.test(words) ? capital(words) : words;
}
