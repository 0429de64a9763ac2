import { expect, type Page } from '@playwright/test';
import { iso1A2Code } from '@rapideditor/country-coder';
import { brotliDecompressSync } from 'node:zlib';
import file from '../../../build/assets/gazetteer/towns.json' with { type: 'json' };
import { retryAfterMs, type ZooServer } from '../../support/zoo/server.ts';
import { isOpenAt, recordOf, type Life } from '../../support/zoo/world.ts';
import { readFacts, type Facts } from './facts.ts';

/** What is true of a console on a service of the zoo, beside what the service itself knows. Unix milliseconds. */
export interface Truth {
  readonly zoo: ZooServer;
  readonly signedInAt: number;
  /** The service answers lists: only then may the page call its data fresh. */
  readonly answers: boolean;
  /** When the last decision was sent. */
  readonly decidedAt: number;
  /** That nobody acknowledged: one of all open incidents, and one of a session that ended. */
  readonly alarms: number;
  /** The missions whose outcome the service did not tell. */
  readonly unknown: number;
  /** What may be pressed beside what always may. */
  readonly offered: readonly RegExp[];
}

type Rule = readonly [RegExp, (told: readonly string[], truth: Truth) => boolean];

const minute = 60_000;
const units = { s: 1_000, min: minute, h: 60 * minute, d: 1_440 * minute };
/** How far a page may be behind: two polls. */
const slackMs = 5_000;

/** Whether a span that is cut to whole units is `ms`. */
function isSpan(text = '', ms = 0): boolean {
  const [, count = '', unit = 's'] = /^(\d+) (s|min|h|d)$/.exec(text) ?? [];
  const size = units[unit as keyof typeof units];
  return count !== '' && Number(count) * size <= ms + slackMs && (Number(count) + 1) * size >= ms - slackMs;
}

/** Whether a time of day, to the minute or the second, is between two instants. */
function isBetween(text = '', from: number, to: number): boolean {
  const [hours = 0, minutes = 0, seconds] = text.split(':').map(Number);
  const shown = (hours * 60 + minutes) * minute + (seconds ?? 0) * 1_000;
  const before = from - slackMs - (seconds === undefined ? minute : 1_000);
  return (shown - (before % units.d) + units.d) % units.d <= to + slackMs - before;
}

const isNow = (text: string | undefined): boolean => isBetween(text, Date.now(), Date.now());

/** The time of the data on the page, after the start of the world. */
const readAt = ({ zoo }: Truth): number => zoo.listedAt - zoo.start;
const known = (truth: Truth): readonly Life[] => truth.zoo.oracle.visible(readAt(truth));
const open = (truth: Truth): readonly Life[] => known(truth).filter((life) => isOpenAt(life, readAt(truth)));
const openOf = (truth: Truth, severities: RegExp): number =>
  open(truth).filter(({ severity }) => severities.test(severity)).length;
const pending = ({ zoo }: Truth): number => zoo.missions.filter(({ state }) => state === 'pending').length;
/** A next try is to come, and not before the service wants it. */
const isNextTry = (text: string | undefined, { zoo }: Truth): boolean => {
  const earliest = Math.max(Date.now(), zoo.limitedAt + retryAfterMs);
  return isBetween(text, earliest, earliest + 2 * minute);
};
const isAge = (text: string | undefined, { zoo }: Truth): boolean => isSpan(text, Date.now() - zoo.listedAt);
const isAsOf = (text: string | undefined, { zoo }: Truth): boolean =>
  isBetween(text, zoo.listedAt, zoo.listedAt);

/** What a text with a number may say, and when it is so. */
const rules: readonly Rule[] = [
  [/^(1 h|6 h|24 h|7 d)$/, () => true],
  [
    /^(?:(\d+) incidents?(?:·(\d+) active)?|(\d+) active incidents?)$/,
    ([, all, opened, alone], truth) =>
      (all === undefined || Number(all) === known(truth).length) &&
      Number(opened ?? alone ?? open(truth).length) === open(truth).length,
  ],
  [
    /^At least (\d+) incidents?(?:·at least (\d+) active)?$/,
    ([, all, opened = 0], truth) =>
      Number(all) <= known(truth).length && Number(opened) <= open(truth).length,
  ],
  [
    /^(Critical|High|Medium|Low) (\d+)$/,
    ([, severity = '', count], truth) => Number(count) === openOf(truth, new RegExp(severity, 'i')),
  ],
  [
    /^(\d+) active incidents need attention, (\d+) of them (critical|high)\.(?: (\d+) alarms? to acknowledge)?$/,
    ([, all, worst, severity = '', count], truth) =>
      Number(all) === openOf(truth, /critical|high/) &&
      Number(worst) === openOf(truth, new RegExp(severity)) &&
      Number(count ?? truth.alarms) === truth.alarms,
  ],
  [/^Changed 0$/, () => true],
  [
    /^Alarms: (\d+) alarms? to acknowledge, 1 (critical|high)$/,
    ([, count, severity = ''], truth) =>
      Number(count) === truth.alarms && openOf(truth, new RegExp(severity)) > 0,
  ],
  [/^(\d+) more$/, ([, count], { alarms }) => Number(count) === alarms - 1],
  [
    /^Missions: (\d+) missions? to decide on$/,
    ([, count], truth) => Number(count) === pending(truth) + truth.unknown,
  ],
  [/^(\d+ (?:s|min)) ago$/, ([, age], truth) => isSpan(age, Date.now() - truth.signedInAt)],
  [
    /^Since (\d\d:\d\d) UTC, (\d+ (?:s|min)) ago$/,
    ([, time, age], { signedInAt }) =>
      isBetween(time, signedInAt, signedInAt) && isSpan(age, Date.now() - signedInAt),
  ],
  [/^Since (\d\d:\d\d) UTC$/, ([, time], { signedInAt }) => isBetween(time, signedInAt, Date.now())],
  [
    /^Session (\d+ min) left$/,
    ([, left], { signedInAt }) => isSpan(left, signedInAt + 60 * minute - Date.now()),
  ],
  [/^(Fresh|Delayed), (\d+ s) old$/, ([, , age], truth) => truth.answers && isAge(age, truth)],
  [/^Stale, (\d+ (?:s|min)) old$/, ([, age], truth) => !truth.answers && isAge(age, truth)],
  [
    /^Rate limited, (\d+ (?:s|min)) old, next try (\d\d:\d\d(?::\d\d)?) UTC$/,
    ([, age, next], truth) =>
      truth.zoo.condition === 'limited' && isAge(age, truth) && isNextTry(next, truth),
  ],
  [
    /^· complete as of (\d\d:\d\d) UTC$/,
    ([, time], truth) => truth.answers && isBetween(time, truth.signedInAt, truth.zoo.listedAt),
  ],
  [
    /^Fresh, (\d+ s) old, complete as of (\d\d:\d\d) UTC$/,
    ([, age, time], truth) =>
      truth.answers && isAge(age, truth) && isBetween(time, truth.signedInAt, truth.zoo.listedAt),
  ],
  [
    /^· at least (\d+), (\d+) windows? uncertain$/,
    ([, all], truth) => !truth.answers && Number(all) <= known(truth).length,
  ],
  [/^(\d+) windows? uncertain$/, (_, { answers }) => !answers],
  [/^Offline, as of (\d\d:\d\d) UTC$/, ([, time], truth) => !truth.answers && isAsOf(time, truth)],
  [/^(\d\d:\d\d:\d\d)(?: UTC)?$/, ([, time]) => isNow(time)],
  [/^(\d\d:\d\d) local$/, ([, time]) => isNow(time)],
  [
    /^Showing what was known at (\d\d:\d\d) UTC \((\d+ (?:s|min)) ago\)\.$/,
    ([, time, age], truth) => !truth.answers && isAsOf(time, truth) && isAge(age, truth),
  ],
  [
    /ata as of (\d\d:\d\d) UTC \((\d+ (?:s|min)) ago\)\.(?:.* Retrying at (\d\d:\d\d(?::\d\d)?) UTC, in (\d+ (?:s|min))\.)?/,
    ([, time, age, next, wait], truth) =>
      !truth.answers &&
      isAsOf(time, truth) &&
      isAge(age, truth) &&
      (next === undefined || (isNextTry(next, truth) && wait !== undefined)),
  ],
  [/^(too-many-requests · HTTP 429)$/, (_, { zoo }) => zoo.condition === 'limited'],
  [/^(service-error · HTTP 503|not-granted · HTTP 403)$/, (_, { answers }) => !answers],
  [/^(?:Search )?(m-\d)$/, ([, id], { zoo }) => zoo.missions.some(({ mission_id }) => mission_id === id)],
  [/^Or type its id, (m-\d)$/, ([, id], { zoo }) => zoo.missions.some(({ mission_id }) => mission_id === id)],
  [
    /^(\d+ min)$/,
    ([, age], { zoo }) =>
      zoo.missions.some(({ requested_at }) => isSpan(age, Date.now() - Date.parse(requested_at))),
  ],
  [/^(\d{4}-.+Z)$/, ([, time], { zoo }) => zoo.missions.some(({ requested_at }) => requested_at === time)],
  [
    /^\d+ \w+, (\d\d:\d\d:\d\d) UTC \((\d+ min) ago\)$/,
    ([, time = '', age], { zoo }) =>
      zoo.missions.some(
        ({ requested_at }) =>
          requested_at.includes(time) && isSpan(age, Date.now() - Date.parse(requested_at)),
      ),
  ],
  [
    /^All fields \((\d+)\)$/,
    ([, fields], { zoo }) => zoo.missions.some((mission) => Object.keys(mission).length === Number(fields)),
  ],
  [
    /^From the list, \d+ \w+, (\d\d:\d\d:\d\d) UTC$/,
    ([, time], { signedInAt }) => isBetween(time, signedInAt, Date.now()),
  ],
  [
    /^Sent at (\d\d:\d\d:\d\d) UTC, without an answer\.$/,
    ([, time], { decidedAt, unknown }) => unknown > 0 && isBetween(time, decidedAt, decidedAt),
  ],
  [
    /^Until \d+ \w+, (\d\d:\d\d) UTC, the service does not act twice\./,
    ([, time], { decidedAt }) => isBetween(time, decidedAt + 23 * units.h, decidedAt + 23 * units.h),
  ],
  [/^Shift since (\d\d:\d\d) UTC$/, ([, time], { signedInAt }) => isBetween(time, signedInAt, Date.now())],
  [/^(\d+ s) ago, \d+ lines?$/, ([, age], { signedInAt }) => isSpan(age, Date.now() - signedInAt)],
  [/^(\d\d:\d\d) UTC · operator$/, ([, time], { signedInAt }) => isBetween(time, signedInAt, Date.now())],
  [/^Handed over (\d\d:\d\d) UTC\./, ([, time], { decidedAt }) => isBetween(time, decidedAt, Date.now())],
  [/^UTC \w+ (\d+) \w+$/, ([, day]) => Number(day) === new Date().getUTCDate()],
  [/^(0|\d+)$/, () => true],
];

/** Whether a piece of a row with a number in it says what the service says of its incident. */
function isOf(life: Life, piece: string, truth: Truth): boolean {
  const { zoo } = truth;
  const { location, evidence_count } = recordOf(life, readAt(truth), zoo.start, zoo.traits) as {
    readonly location: Place;
    readonly evidence_count: number;
  };
  const created = zoo.start + life.createdAt;
  const [, day, time] = /^(?:(\d+ \w{3}), )?(\d\d:\d\d) UTC$/.exec(piece) ?? [];
  if (time !== undefined) {
    const [, date, month] = new Date(created).toUTCString().split(' ');
    return (
      new Date(created).toISOString().slice(11, 16) === time &&
      (day ?? `${date} ${month}`) === `${date} ${month}`
    );
  }
  if (/^\d+ (?:s|min|h|d)$/.test(piece)) return isSpan(piece, Date.now() - created);
  if (/^\d+(?: evidence items?)?$/.test(piece)) return Number.parseInt(piece) === evidence_count;
  if (/ of |, [A-Z]{2}$/.test(piece)) {
    const status = isOpenAt(life, readAt(truth)) ? 'open' : 'resolved';
    const words = [nearest(location), life.severity, status];
    return piece.split('·').every((part) => words.includes(wordOf(part)));
  }
  return piece === life.id || piece === `${location.latitude.toFixed(3)}, ${location.longitude.toFixed(3)}`;
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const towns = brotliDecompressSync(Buffer.from(file.towns, 'base64')).toString().split('\n');

/** How far a place is from the town that it is named after, and from which: all of its words but the direction. */
function nearest({ latitude, longitude }: Place): string {
  const home = iso1A2Code([longitude, latitude], { level: 'territory' });
  const [lat, lon] = [latitude, longitude].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  let best = { km: Infinity, town: '' };
  let own = best;
  for (const line of towns) {
    const [north, east, country = '', , name = ''] = line.split('|');
    const [otherLat, otherLon] = [north, east].map((degrees) => (Number(degrees) * Math.PI) / 180) as [
      number,
      number,
    ];
    const half =
      Math.sin((lat - otherLat) / 2) ** 2 +
      Math.cos(lat) * Math.cos(otherLat) * Math.sin((lon - otherLon) / 2) ** 2;
    const km = 2 * 6_371 * Math.asin(Math.sqrt(half));
    if (km < best.km) best = { km, town: `${name}, ${country}` };
    if (km < own.km && country === home) own = { km, town: `${name}, ${country}` };
  }
  const { km, town } = own.km <= 100 ? own : best;
  return km < 3 ? town.toLowerCase() : `${Math.round(km).toLocaleString('en')} km of ${town}`;
}

/** Without the direction of a place. */
const wordOf = (part: string): string =>
  / of /.test(part)
    ? part.trim().replace(/ km (?:N|NE|E|SE|S|SW|W|NW) of /, ' km of ')
    : part.trim().toLowerCase();

/** The rows are those of all incidents, the newest first. A wallboard has some of those that are open. */
function rowFaults({ rows, wallRows }: Facts, truth: Truth): string[] {
  if (rows.length === 0)
    return wallRows
      .filter((row) => !open(truth).some((life) => row.every((piece) => isOf(life, piece, truth))))
      .map((row) => `the row ${row.join(' | ')}`);
  const lives = known(truth).toSorted((a, b) => b.createdAt - a.createdAt);
  return lives.flatMap((life, index) => {
    const row = rows[index] ?? [];
    const wrong = row.filter((piece) => !isOf(life, piece, truth));
    return row.length < 2 || wrong.length > 0 ? [`the row of ${life.id}: ${wrong.join(' | ')}`] : [];
  });
}

/** What is there to look and to move around in, and needs no service. */
const always = new RegExp(
  `^(?:${[
    'Skip to .+|Incidents|Drones|Evidence|Outbox|Missions.*|Alarms.*|Log|Commands',
    'Switch to (?:night|day)|Settings|Lock|Account|Views|Columns|Export|What .+|Filter.*|Active|All',
    '(?:Critical|High|Medium|Low) \\d+|Sort by: .+',
    'Show|\\d+ more|Measure|Map layers|Data status|Open integrations|Show the timeline|Show local time',
    'Refresh (?:incidents|missions)|Find a mission by its id|Try again now|Linked to the other windows|Audit list|Copy .+|Cancel|Shift|Pinned|Notes|Web page|Print|\\d+ windows? uncertain',
  ].join('|')})$`,
);

function faultsOf(facts: Facts, truth: Truth): string[] {
  const enabled = facts.buttons.filter((button) => button.enabled).map(({ name }) => name);
  const told = [
    ...facts.numbers,
    ...facts.buttons
      .filter(({ name }) => /\d/.test(name))
      .map(({ name }) => ({ place: 'button', text: name })),
  ];
  const untrue = told.filter(({ text }) => {
    const rule = rules.find(([pattern]) => pattern.test(text));
    if (rule === undefined) return !/: last /.test(text);
    return !rule[1](rule[0].exec(text) ?? [], truth);
  });
  return [
    ...untrue.map(({ place, text }) => `${place}: ${text}`),
    ...rowFaults(facts, truth),
    ...enabled
      .filter((name) => ![always, ...truth.offered].some((pattern) => pattern.test(name)))
      .map((name) => `the button ${name} can be pressed`),
    ...truth.offered
      .filter((pattern) => !enabled.some((name) => pattern.test(name)))
      .map((pattern) => `no button ${String(pattern)} can be pressed`),
  ];
}

/** Every number, time and enabled button of the page is true, within the time that a page takes to say it. */
export async function expectTrue(page: Page, truth: () => Truth, state: string): Promise<void> {
  await expect.poll(async () => faultsOf(await readFacts(page), truth()), { message: state }).toEqual([]);
}
