import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { towns } from '../../../../src-main/core/base/places/towns.ts';
import { csvFormat } from '../../../../src-main/core/features/exports/csv.ts';
import { countIncidents } from '../../../../src-main/core/features/exports/exportFacts.ts';
import { collectFacts } from '../../../../src-main/core/features/notes/handover/facts.ts';
import type { IncidentRecord } from '../../../../src-main/core/state/incident.ts';
import {
  decodeIncidentFrame,
  encodeIncidentFrame,
  mostCriticalTowns,
  scaleOf,
  severitiesWorstFirst,
  type SeverityName,
  type SeverityRanking,
  type Message,
} from '../../../../src-preload/contract/index.ts';
import { countsBySeverity, worstListed } from '../../../../src-renderer/base/wallboard.ts';
import { severityEntries, statusEntries } from '../../../../src-renderer/features/incidents/filterEntries.ts';
import { ClusterIndex, markLayer } from '../../../../src-renderer/map/clusters/index.ts';
import { shownPoints } from '../../../../src-renderer/map/shownPoints.ts';
import { filterRows, type RowFilter } from '../../../../src-renderer/table/filter.ts';
import { histogram, sumByRank } from '../../../../src-renderer/table/histogram.ts';
import { TableSearch } from '../../../../src-renderer/table/search.ts';
import { readSearch } from '../../../../src-renderer/table/searchQuery.ts';
import { rankOf } from '../../../../src-renderer/table/severity.ts';
import { sortRows } from '../../../../src-renderer/table/sort.ts';
import { IncidentTable } from '../../../../src-renderer/table/table.ts';
import { openCritical, openRows, openWorstFirst } from '../../../../src-renderer/table/worstOpen.ts';
import { createAlarmRig } from '../../../core/features/alarms/alarmRig.ts';
import { readCsv } from '../../../core/features/exports/csvReader.ts';
import { facts } from '../../../core/features/exports/exportFixtures.ts';
import { createTestStore, record, upsertOf } from '../../../core/state/storeFixtures.ts';

/**
 * Every count on the page against one count of the model. The model knows what each spelling is, since it was
 * made of it; nothing here asks the console's own fold.
 */

/** A severity as the model knows it: how it counts, its mark, and words for it. */
interface Meant {
  readonly name: string;
  readonly mark: SeverityName;
  readonly words: readonly string[];
}
const plain: readonly Meant[] = [
  { name: 'critical', mark: 'critical', words: ['critical', 'crit', 'extreme'] },
  { name: 'high', mark: 'high', words: ['high', 'severe'] },
  { name: 'medium', mark: 'medium', words: ['medium', 'moderate'] },
  { name: 'low', mark: 'low', words: ['low', 'minor'] },
  { name: 'catastrophic', mark: 'unknown', words: ['catastrophic'] },
  { name: 'dire', mark: 'unknown', words: ['dire'] },
];
/** The same under a list of an administrator's. */
const ranking: SeverityRanking = [
  { name: 'catastrophic', synonyms: [] },
  { name: 'critical', synonyms: ['sev 1'] },
  { name: 'high', synonyms: [] },
];
const ranked: readonly Meant[] = [
  { name: 'catastrophic', mark: 'critical', words: ['catastrophic'] },
  { name: 'critical', mark: 'critical', words: ['critical', 'crit', 'sev 1', 'sev-1'] },
  ...plain.filter(({ name }) => !['critical', 'catastrophic'].includes(name)),
];
const settings = [
  { ranking: null, meant: plain },
  { ranking, meant: ranked },
] as const;
const statuses = [
  { name: 'open', over: false, words: ['open', 'opened'] },
  { name: 'resolved', over: true, words: ['resolved', 'closed'] },
  { name: 'under review', over: false, words: ['under review', 'under_review'] },
] as const;

/** A word as a careless service writes it. */
const spelled = (word: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(
        (text: string) => text,
        (text: string) => text.toUpperCase(),
        (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
        (text: string) => text.toLocaleUpperCase('tr'),
        (text: string) => text.replaceAll('i', '\u0131'),
        (text: string) =>
          text.replaceAll(/[a-z]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
      ),
      fc.constantFrom('', ' ', '\t', '\u00a0', '\u200b'),
      fc.constantFrom('', ' ', '\r\n'),
    )
    .map(([write, before, after]) => before + write(word) + after);

interface Modelled {
  readonly record: IncidentRecord;
  readonly severity: Meant;
  readonly status: (typeof statuses)[number];
}

const models = (meant: readonly Meant[]): fc.Arbitrary<readonly Modelled[]> =>
  fc
    .array(
      fc.record({
        severity: fc.constantFrom(...meant).chain((of) =>
          fc
            .constantFrom(...of.words)
            .chain(spelled)
            .map((text) => ({ of, text })),
        ),
        status: fc.constantFrom(...statuses).chain((of) =>
          fc
            .constantFrom<string>(...of.words)
            .chain(spelled)
            .map((text) => ({ of, text })),
        ),
        createdAt: fc.integer({ min: 0, max: 1_000_000 }),
        located: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
      }),
      { maxLength: 60 },
    )
    .map((rows) =>
      rows.map(({ severity, status, createdAt, located }, at) => ({
        record: record(`incident-${at}`, {
          severity: severity.text,
          status: status.text,
          createdAt,
          location: located ? { latitude: (at % 17) - 8, longitude: (at % 31) - 15, altitude: null } : null,
        }),
        severity: severity.of,
        status: status.of,
      })),
    );

const everything: RowFilter = {
  severities: [],
  statuses: [],
  types: [],
  openOnly: false,
  from: null,
  to: null,
  location: 'any',
};
const marks = (some: readonly Modelled[]): Record<SeverityName, number> =>
  Object.fromEntries(
    severitiesWorstFirst.map((name) => [name, some.filter(({ severity }) => severity.mark === name).length]),
  ) as Record<SeverityName, number>;

/** What all clusters of the whole world hold together. */
function clustered(table: IncidentTable, rows: Uint32Array): number {
  const index = new ClusterIndex(shownPoints(table, rows, 0).points);
  const layer = new VectorTile(new PbfReader(index.tile(0, 0, 0, String))).layers[markLayer];
  let sum = 0;
  for (let at = 0; at < (layer?.length ?? 0); at += 1) sum += Number(layer?.feature(at).properties['count']);
  return sum;
}

/** How many incidents a text finds. */
function found(table: IncidentTable, text: string): number {
  const context = { distances: null, now: 0, anchored: () => null, area: () => null, beside: () => null };
  const search = new TableSearch(table, context);
  search.ask(readSearch(text).terms, context);
  while (!search.step(() => false));
  return search.result()?.total ?? -1;
}

describe.each(settings)('with the ranking $ranking', ({ ranking, meant }) => {
  const scale = scaleOf(ranking);

  it('every count is the same', async () => {
    await fc.assert(
      fc.asyncProperty(models(meant), async (model) => {
        const ar = createAlarmRig();
        const { store } = ar;
        store.patch('app', { severities: ranking });
        await ar.feature.start(null);
        ar.feature.set({ least: 'critical' });
        ar.phase('first');
        await ar.rows(
          model.map((one) => one.record),
          0,
        );
        ar.phase('rolling');

        const frame = store.incidents.frameSince(null);
        const table = new IncidentTable();
        if (frame) table.apply(decodeIncidentFrame(encodeIncidentFrame(frame)));
        table.setScale(scale);
        const all = filterRows(table, everything);
        const counted = (test: (one: Modelled) => boolean): number => model.filter(test).length;
        const { dictionaries } = table;

        // The filter: one entry for each, whatever it is called by, and as many rows as it says.
        const entries = severityEntries(dictionaries.severity, all.severityCounts, scale);
        const present = meant.filter((one) => counted(({ severity }) => severity === one) > 0);
        expect(entries.length).toBe(present.length);
        for (const of of present) {
          const many = counted(({ severity }) => severity === of);
          const entry = entries.filter(({ key }) => key === of.name);
          expect(entry.map(({ rows }) => rows)).toEqual([many]);
          for (const word of [entry[0]?.value ?? '', ` ${of.words.at(-1)?.toUpperCase() ?? ''}`]) {
            expect(filterRows(table, { ...everything, severities: [word] }).rows.length).toBe(many);
          }
          if (of.mark !== 'unknown') expect(found(table, `severity:"${of.name.toUpperCase()}"`)).toBe(many);
          const ofSeverity = filterRows(table, { ...everything, severities: [of.name] }).rows;
          expect(clustered(table, ofSeverity)).toBe(
            counted(({ severity, record: { location } }) => severity === of && location !== null),
          );
        }
        for (const of of statuses) {
          const many = counted(({ status }) => status === of);
          const status = statusEntries(dictionaries.status, all.statusCounts).filter(
            ({ key }) => key === of.name,
          );
          expect(status.map(({ rows }) => rows)).toEqual(many === 0 ? [] : [many]);
        }
        // What is open: the list's default, its chips, and the way from the worst to the next.
        const stillOpen = counted(({ status }) => !status.over);
        expect(filterRows(table, { ...everything, openOnly: true }).rows.length).toBe(stillOpen);
        expect([...all.openCounts.values()].reduce((sum, one) => sum + one, 0)).toBe(stillOpen);
        expect(openWorstFirst(table).length).toBe(stillOpen);

        // Timeline and wallboard count by mark.
        const bins = histogram(table, all.rows, Float64Array.of(0, 333_333, 700_000, 1_000_001));
        const sums = sumByRank(bins.counts, 0, 3);
        const onBoard = countsBySeverity(table, all.rows);
        const byMark = marks(model);
        for (const name of severitiesWorstFirst) expect(sums[rankOf(name)]).toBe(byMark[name]);
        expect(onBoard).toEqual(byMark);

        // Exports and sheet.
        const keys = table.columns.key.slice();
        const find = (key: number) => store.incidents.storedByKey(key);
        const counts = await countIncidents(keys, find, scale, new AbortController().signal);
        for (const name of severitiesWorstFirst) expect(counts.severities.get(name) ?? 0).toBe(byMark[name]);
        const csv = csvFormat({ byteOrderMark: false });
        const context = { scale, towns };
        const text = [...keys].map((key, at) => {
          const stored = find(key);
          return stored === null ? '' : csv.row(stored, at, context);
        });
        const [head = [], ...lines] = readCsv(csv.head(facts()) + text.join(''));
        const classAt = head.indexOf('severity_class');
        for (const of of present) {
          const same = lines.filter((line) => scale.classOf(line[classAt] ?? '').key === of.name);
          expect(same.length).toBe(counted(({ severity }) => severity === of));
        }

        // The report: what is bad and not over. Its list and the wallboard's begin with the worst.
        const open = (mark: SeverityName): number =>
          counted(({ severity, status }) => severity.mark === mark && !status.over);
        const handover = await collectFacts(
          { store, serverNow: () => 0 },
          { readUploads: () => ({ total: 0, items: [] }), auditHash: () => null },
          {
            shift: { startedAt: 0, entries: 0, folded: 0, handedOverAt: null },
            entries: [],
            notes: [],
            pins: [],
            damaged: 0,
          },
          { summary: '', successor: '', language: 'en' },
        );
        const { critical, unranked, high } = handover.open;
        const { towns: most, noLocation } = handover.open.criticalPlaces;
        const located = model.filter(
          ({ severity, status, record: { location } }) =>
            severity.mark === 'critical' && !status.over && location !== null,
        );
        expect(noLocation + located.length).toBe(critical);
        const perTown = Map.groupBy(located, ({ record: { location } }) => towns.nearest(location!).town.id);
        const largest = Array.from(perTown.values(), ({ length }) => length).sort((a, b) => b - a);
        expect(most.map(({ count }) => count)).toEqual(largest.slice(0, mostCriticalTowns));
        for (const { town, count } of most) expect(perTown.get(town.id)?.length).toBe(count);
        expect(openCritical(table).length).toBe(critical);
        expect({ critical, unranked, high }).toEqual({
          critical: open('critical'),
          unranked: open('unknown'),
          high: open('high'),
        });
        const bad = openRows(table, all.rows).filter((row) => {
          const severity = table.dictionaries.severity[table.columns.severity[row] ?? 0] ?? '';
          return ['critical', 'unknown', 'high'].includes(scale.classOf(severity).mark);
        });
        expect(bad.length).toBe(critical + unranked + high);

        // Alarms: of what is open and critical or of no rank, the first reading tells the worst and how many it is.
        const loud = counted(({ severity: { mark } }) => mark === 'critical' || mark === 'unknown');
        const [alarm] = ar.alarms().active;
        expect(alarm?.count ?? 0).toBe(open('critical') + open('unknown'));
        if (alarm) {
          const named = meant.find(({ name }) => name === scale.classOf(alarm.severity ?? '').key);
          const worst = counted(({ severity, status }) => severity === named && !status.over);
          // Of one alone it says what and where that is instead of how many.
          const sentence = alarm.sentence as Extract<Message, { id: string }>;
          const one = sentence.id === 'alarm.firstRead.one';
          expect(one).toBe(worst === 1);
          expect(sentence.values).toMatchObject({ n: alarm.count, ...(one ? {} : { worst }) });
          if (open('critical') > 0 && ranking === null) expect(named?.name).toBe('critical');
        }

        // Worst first: nothing ranked lower than critical stands before what is critical or unranked.
        const order = [...sortRows(table, all.rows, 'severity', 'descending')];
        const markOfRow = (row: number): SeverityName | undefined =>
          model.find((one) => one.record.id === table.idAt(row))?.severity.mark;
        const isLoud = (row: number): boolean => ['critical', 'unknown'].includes(markOfRow(row) ?? '');
        expect(order.slice(0, loud).every(isLoud)).toBe(true);
        const [firstListed] = worstListed(table, all.rows, 1);
        const openLoud = open('critical') + open('unknown');
        if (openLoud > 0 && firstListed !== undefined) expect(isLoud(firstListed)).toBe(true);
        await ar.feature.stop();
      }),
      { numRuns: 60 },
    );
  });
});

it('counts what is critical as critical, however many other severities a service makes up', async () => {
  const store = createTestStore();
  const made = Array.from({ length: 1_500 }, (_, at) => record(`made-${at}`, { severity: `made up ${at}` }));
  const late = ['CRITICAL', ' cRiTiCaL', 'crit'].map((severity, at) =>
    record(`late-${at}`, { severity, status: ['CLOSED', ' Resolved', 'open'][at] ?? '' }),
  );
  await store.applyRows({ upserts: [...made, ...late].map(upsertOf), removals: [] });
  const frame = store.incidents.frameSince(null);
  const table = new IncidentTable();
  if (frame) table.apply(decodeIncidentFrame(encodeIncidentFrame(frame)));
  expect(filterRows(table, everything).severityCounts.get('critical')).toBe(3);
  expect(filterRows(table, { ...everything, severities: ['Critical'] }).rows.length).toBe(3);
});
