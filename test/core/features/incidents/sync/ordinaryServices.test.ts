import { afterEach, describe, expect, it } from 'vitest';
import { testStart } from '../../../../support/clock.ts';
import { seeded } from '../../../../../src-main/training/seeded.ts';
import {
  heldIncidents,
  list,
  ordinaryService,
  said,
  status,
  wires,
  type Held,
  type Said,
  type Seen,
} from './ordinaryServices.ts';
import { createSyncRig, type SyncRig } from './syncRig.ts';

const rigs: SyncRig[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

const day = 86_400;
const pollMs = 15_000;

interface Service {
  readonly name: string;
  readonly answer: (seen: Seen) => Said;
  /** What is so at the end: all are known, and the word may be said (`complete`), must not be (`at-least`) or is open. */
  readonly word: 'complete' | 'at-least' | 'any';
  readonly count?: number;
  readonly known?: 'all' | 'some';
  /** How many chance may hide from a patient reader. */
  readonly lacks?: number;
  /** The most requests in 10 minutes, of which 1,240 are allowed. */
  readonly most?: number;
  readonly visible?: (one: Held) => boolean;
  readonly seconds?: number;
}

interface Outcome {
  readonly rig: SyncRig;
  readonly requests: number;
  /** The longest time for which a word was false, seconds, and what it was. */
  readonly falseFor: number;
  readonly falseMark: number;
}

async function watch(service: Service): Promise<Outcome> {
  const held = heldIncidents(testStart, service.count ?? 1_500, 10);
  const stand: { rig: SyncRig | null } = { rig: null };
  const api = ordinaryService({
    held: () => held,
    now: () => stand.rig?.clock.wallNow() ?? testStart,
    answer: service.answer,
  });
  const rig = await createSyncRig(undefined as never, {
    unit: 'auto',
    intervalMs: pollMs,
    requestsPerMinute: 120,
    api,
  });
  stand.rig = rig;
  rigs.push(rig);
  rig.sync.start({ ledger: null });
  const visible = held.filter(service.visible ?? (() => true)).map(({ wire }) => wire.id);
  let [falseNow, falseFor, markNow, falseMark] = [0, 0, 0, 0];
  for (let second = 0; second < (service.seconds ?? 600); second += 1) {
    await rig.clock.advance(1_000);
    const { completeness } = rig.meta();
    const lacks = visible.some((id) => !rig.store.incidents.has(id));
    falseNow = completeness === 'complete' && lacks ? falseNow + 1 : 0;
    falseFor = Math.max(falseFor, falseNow);
    markNow = rig.state().notReturned > 0 ? markNow + 1 : 0;
    falseMark = Math.max(falseMark, markNow);
  }
  return { rig, requests: api.asked.length, falseFor, falseMark };
}

/** Pages of rows that a cursor leads through. */
const cursorOf = (rows: readonly Held[], at: number, next: string | null): Said =>
  said({ items: wires(rows.slice(at, at + 200)), next_cursor: next });

const draw = seeded(7, 'caps');
const bytesOf = ({ lot }: Held): number => (lot < 0.2 ? 7_000 : 300 + lot * 800);
function firstBytes(rows: readonly Held[], most: number): Held[] {
  let left = most;
  return rows.filter((row) => (left -= bytesOf(row)) >= 0 || left === most - bytesOf(row));
}

const isSeen = ({ lot, at }: Held): boolean =>
  at > testStart / 1000 - 3 * day || at < testStart / 1000 - 6 * day || lot < 0.25;

const services: Service[] = [
  { name: 'plain', most: 480, answer: ({ inside }) => list(inside), word: 'complete' },
  { name: '6 cap 50 ignores limit', answer: ({ inside }) => list(inside, 50), word: 'complete' },
  {
    name: '13 cap falls from 200 to 60',
    answer: ({ inside, turn }) => list(inside, turn < 7 ? 200 : 60),
    word: 'complete',
  },
  {
    name: '14 pages of 24 KB',
    seconds: 1_800,
    answer: ({ inside }) => list(firstBytes(inside, 24_000)),
    word: 'any',
  },
  {
    name: '15 half hidden after the limit',
    seconds: 1_800,
    answer: ({ inside }) => list(inside.slice(0, 200).filter(({ lot }) => lot < 0.5)),
    visible: ({ lot }) => lot < 0.5,
    word: 'complete',
  },
  {
    name: '16 three of four of days 3 to 6 hidden after the limit',
    answer: ({ inside }) => list(inside.slice(0, 200).filter(isSeen)),
    visible: isSeen,
    word: 'any',
  },
  {
    name: '17 cap of 20 to 200 by load',
    seconds: 1_800,
    answer: ({ inside }) => list(inside, 20 + draw.below(181)),
    word: 'any',
  },
  {
    name: '20 a range of 24 h before its end',
    answer: ({ inside, end, now }) => list(inside.filter(({ at }) => at >= (end ?? now) - day)),
    word: 'any',
  },
  {
    name: '21 a range over 7 days is 400',
    answer: ({ inside, start, end, now }) =>
      start !== undefined && (end ?? now) - start > 7 * day ? status(400) : list(inside),
    word: 'any',
  },
  {
    name: '22 no start means the last 24 h, few incidents',
    count: 150,
    answer: ({ inside, start, now }) => list(inside.filter(({ at }) => at >= (start ?? now - day))),
    word: 'complete',
  },
  {
    name: '23 an end without a start is 400',
    most: 480,
    answer: ({ inside, start, end }) =>
      start === undefined && end !== undefined ? status(400) : list(inside),
    word: 'complete',
  },
  {
    name: '24 a limit over 100 is 422',
    answer: ({ inside, limit }) => ((limit ?? 0) > 100 ? status(422) : list(inside, limit ?? 50)),
    word: 'complete',
  },
  {
    name: '25 a limit is 400',
    answer: ({ inside, limit }) => (limit !== undefined ? status(400) : list(inside, 50)),
    word: 'complete',
  },
  {
    name: '26 both bounds exclusive',
    answer: ({ all, start, end }) =>
      list(all.filter(({ at }) => at > (start ?? -Infinity) && at < (end ?? Infinity))),
    word: 'complete',
  },
  {
    name: '27 end exclusive',
    answer: ({ inside, end }) => list(inside.filter(({ at }) => at < (end ?? Infinity))),
    word: 'complete',
  },
  {
    name: '28 an empty window is 204',
    most: 480,
    answer: ({ inside }) => (inside.length === 0 ? said(null) : list(inside)),
    word: 'complete',
  },
  {
    name: '29 an empty window is 404',
    most: 480,
    answer: ({ inside }) => (inside.length === 0 ? status(404) : list(inside)),
    word: 'complete',
  },
  {
    name: '31 list in data.items',
    most: 480,
    answer: ({ inside }) => said({ data: { items: wires(inside).slice(0, 200) } }),
    word: 'complete',
  },
  {
    name: '32 total and has_more, ignores windows',
    answer: ({ all }) =>
      said({ items: wires(all).slice(0, 120), total: all.length, has_more: all.length > 120 }),
    known: 'some',
    word: 'at-least',
  },
  {
    name: '33 a cursor without end on the same page',
    most: 520,
    answer: ({ inside, turn }) =>
      said({ items: wires(inside).slice(0, 200), next_cursor: inside.length > 200 ? `c${turn}` : null }),
    word: 'complete',
  },
  {
    name: '34 page 2 is 410',
    most: 480,
    answer: ({ inside, cursor }) =>
      cursor !== undefined ? status(410) : cursorOf(inside, 0, inside.length > 200 ? 'two' : null),
    word: 'complete',
  },
  {
    name: '35 a cursor that loops',
    most: 480,
    answer: ({ inside, cursor }) =>
      cursorOf(inside, cursor === undefined ? 0 : 200, inside.length > 200 ? 'again' : null),
    word: 'complete',
  },
  {
    name: '11 a cursor that works',
    most: 480,
    answer: ({ inside, cursor }) => {
      const at = Number(cursor ?? 0);
      return cursorOf(inside, at, at + 200 < inside.length ? String(at + 200) : null);
    },
    word: 'complete',
  },
  {
    name: '40 64 vanish for 8 s',
    answer: ({ inside, now }) =>
      list(
        inside.filter(({ lot }) => now < testStart / 1000 + 30 || now > testStart / 1000 + 38 || lot > 0.04),
      ),
    word: 'any',
  },
  {
    name: '44 every other answer lacks 150',
    lacks: 10,
    seconds: 1_800,
    answer: ({ inside, turn }) => list(turn % 2 === 0 ? inside.filter(({ lot }) => lot > 0.1) : inside),
    word: 'any',
  },
  {
    name: '45 filter 2 h off',
    answer: ({ all, start, end }) =>
      list(all.filter(({ at }) => at + 7_200 >= (start ?? -Infinity) && at + 7_200 <= (end ?? Infinity))),
    word: 'complete',
  },
  {
    name: '47 filter by updated_at',
    answer: ({ all, start, end }) =>
      list(
        all.filter(
          ({ at, lot }) =>
            at + lot * 90_000 >= (start ?? -Infinity) && at + lot * 90_000 <= (end ?? Infinity),
        ),
      ),
    word: 'at-least',
  },
  {
    name: '56 partial answers with 206',
    answer: ({ inside }) =>
      said(wires(inside).slice(0, 80), inside.length > 80 ? { more: true, total: null } : undefined),
    word: 'complete',
  },
  {
    name: '59 timed_out with half of the hits',
    seconds: 1_800,
    answer: ({ inside, turn }) =>
      turn % 4 === 0
        ? said({ items: wires(inside.slice(0, inside.length / 2)).slice(0, 200), timed_out: true })
        : list(inside),
    word: 'any',
  },
];

describe('an ordinary service', () => {
  it.each(services)(
    '$name',
    async (service) => {
      const { rig, requests, falseFor, falseMark } = await watch(service);
      const all = heldIncidents(testStart, service.count ?? 1_500, 10).filter(
        service.visible ?? (() => true),
      );
      expect(falseFor, 'seconds of a word that is false').toBe(0);
      expect(falseMark, 'seconds of a mark that is false').toBe(0);
      if (service.known !== 'some') {
        const lacks = all.filter(({ wire }) => !rig.store.incidents.has(wire.id)).length;
        expect(lacks).toBeLessThanOrEqual(service.lacks ?? 0);
      }
      if (service.word !== 'any') expect(rig.meta().completeness).toBe(service.word);
      if (service.most !== undefined) expect(requests).toBeLessThan(service.most);
    },
    60_000,
  );
});
