import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IncidentRecord } from '../../../src-main/core/state/incident.ts';
import { Publisher } from '../../../src-main/core/state/publisher.ts';
import { pushSchema, type LinkMessage, type Push } from '../../../src-preload/contract/index.ts';
import { createVirtualClock } from '../../support/clock.ts';
import { createTestStore, Mirror, mirrored, record, upsertOf } from './storeFixtures.ts';

function setUp({ deltaLimit }: { deltaLimit?: number } = {}) {
  const store = createTestStore();
  const clock = createVirtualClock();
  const publisher = new Publisher(store, clock, deltaLimit);
  return { store, clock, publisher };
}

/** A page that answers when it is told to. */
function openPage(publisher: Publisher) {
  const mirror = new Mirror();
  const unanswered: Push[] = [];
  const subscription = publisher.subscribe((push) => unanswered.push(push));
  const answer = (message?: LinkMessage): void => {
    const push = unanswered.shift();
    const own = push && mirror.take(push);
    const say = message ?? own;
    if (say) subscription.answer(say);
  };
  return { mirror, unanswered, answer, subscription };
}

describe('pushes', () => {
  it('start with a snapshot and go on with what changed', async () => {
    const { store, clock, publisher } = setUp();
    await store.applyRows({ upserts: [upsertOf(record('a'))], removals: [] });
    const page = openPage(publisher);
    await clock.advance(100);
    expect(page.unanswered).toHaveLength(1);
    expect(pushSchema.safeParse(page.unanswered[0]).success).toBe(true);
    page.answer();
    store.patch('preferences', { theme: 'night' });
    await store.applyRows({ upserts: [upsertOf(record('b'))], removals: ['a'] });
    await clock.advance(100);
    const delta = page.unanswered[0];
    expect(delta?.base).not.toBeNull();
    expect(Object.keys(delta?.slices ?? {})).toEqual(['preferences']);
    page.answer();
    expect(page.mirror.byId()).toEqual(mirrored([record('b')]));
    await clock.advance(1000);
    expect(page.unanswered).toHaveLength(0);
  });

  it('never lie in wait: a page paused for 60 s under 1,000 changes a second gets one snapshot or delta', async () => {
    const { store, clock, publisher } = setUp();
    const page = openPage(publisher);
    const quick = openPage(publisher);
    await clock.advance(50);
    for (let second = 0; second < 60; second += 1) {
      const upserts = Array.from({ length: 1000 }, (_, index) =>
        upsertOf(record(`inc-${String(index)}`, { evidenceCount: second })),
      );
      for (let part = 0; part < 10; part += 1) {
        await store.applyRows({ upserts: upserts.slice(part * 100, part * 100 + 100), removals: [] });
        await clock.advance(100);
        quick.answer();
      }
    }
    expect(page.unanswered).toHaveLength(1);
    expect(quick.mirror.pushes.length).toBeGreaterThan(100);
    page.answer();
    await clock.advance(100);
    expect(page.unanswered).toHaveLength(1);
    expect(page.unanswered[0]?.incidents?.byteLength).toBeLessThan(200_000);
    page.answer();
    await clock.advance(100);
    quick.answer();
    expect(page.mirror.rows.size).toBe(1000);
    expect(page.mirror.byId()).toEqual(quick.mirror.byId());
  });

  it('gather longer while all incidents are read for the first time', async () => {
    const { store, clock, publisher } = setUp();
    store.patch('sync', { phase: 'first' });
    const page = openPage(publisher);
    await clock.advance(50);
    page.answer();
    const before = page.mirror.pushes.length;
    for (let part = 0; part < 30; part += 1) {
      await store.applyRows({ upserts: [upsertOf(record(`inc-${String(part)}`))], removals: [] });
      await clock.advance(10);
      page.answer();
    }
    expect(page.mirror.pushes.length - before).toBeLessThanOrEqual(2);
    await clock.advance(200);
    page.answer();
    expect(page.mirror.rows.size).toBe(30);
  });

  it('do not gather what an operator waits to see', async () => {
    const { store, clock, publisher } = setUp();
    store.patch('sync', { phase: 'first' });
    const page = openPage(publisher);
    await clock.advance(50);
    page.answer();
    store.patch('preferences', { theme: 'night' });
    await clock.advance(0);
    expect(page.unanswered).toHaveLength(0);
    publisher.flushSoon();
    await clock.advance(0);
    expect(page.unanswered.map(({ slices }) => slices.preferences?.theme)).toEqual(['night']);
    page.answer();
    publisher.flushSoon();
    await clock.advance(1000);
    expect(page.unanswered).toHaveLength(0);
  });

  it('stay a delta, however large, while it is the smaller part of everything', async () => {
    const { store, clock, publisher } = setUp({ deltaLimit: 10_000 });
    const page = openPage(publisher);
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => upsertOf(record(`inc-${String(from + index)}`)));
    await store.applyRows({ upserts: rows(0, 2000), removals: [] });
    await clock.advance(50);
    page.answer();
    await store.applyRows({ upserts: rows(2000, 3000), removals: [] });
    await clock.advance(50);
    expect(page.unanswered[0]?.base).not.toBeNull();
    expect(page.unanswered[0]?.incidents?.byteLength).toBeGreaterThan(10_000);
    page.answer();
    expect(page.mirror.rows.size).toBe(3000);
  });

  it('become a snapshot when the delta is larger than its limit and most of everything', async () => {
    const { store, clock, publisher } = setUp({ deltaLimit: 10_000 });
    const page = openPage(publisher);
    await clock.advance(50);
    page.answer();
    const upserts = Array.from({ length: 1000 }, (_, index) => upsertOf(record(`inc-${String(index)}`)));
    await store.applyRows({ upserts, removals: [] });
    await clock.advance(50);
    expect(page.unanswered[0]?.base).toBeNull();
    page.answer();
    expect(page.mirror.rows.size).toBe(1000);
  });

  it('hold a large change back until all of it is written', async () => {
    const { store, clock, publisher } = setUp();
    const page = openPage(publisher);
    await clock.advance(50);
    page.answer();
    const upserts = Array.from({ length: 100_000 }, (_, index) => upsertOf(record(`inc-${String(index)}`)));
    let written = false;
    const writing = store.applyRows({ upserts, removals: [] }).then(() => (written = true));
    for (let round = 0; !written; round += 1) {
      store.patch('time', { serverNow: round + 1 });
      await clock.advance(40);
      page.answer();
      expect([0, 100_000]).toContain(page.mirror.rows.size);
    }
    await writing;
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(40);
      page.answer();
    }
    expect(page.mirror.rows.size).toBe(100_000);
  });

  it('withhold everything but the lock page while locked, and give all anew afterwards', async () => {
    const { store, clock, publisher } = setUp();
    await store.applyRows({ upserts: [upsertOf(record('canary-id'))], removals: [] });
    const old = openPage(publisher);
    await clock.advance(50);
    old.answer();
    store.patch('lock', { locked: true });
    const fresh = openPage(publisher);
    await store.applyRows({ upserts: [upsertOf(record('canary-too'))], removals: [] });
    store.patch('session', { username: 'canary-other' });
    await clock.advance(50);
    for (const page of [old, fresh]) {
      const push = page.unanswered[0];
      expect(push?.incidents).toBeNull();
      for (const name of Object.keys(push?.slices ?? {})) {
        expect(['app', 'lock', 'time', 'preferences', 'siren', 'policy', 'desktop']).toContain(name);
      }
      expect(JSON.stringify(push)).not.toContain('canary');
      page.answer();
    }
    store.patch('session', { username: 'canary-third' });
    await clock.advance(1000);
    expect(old.unanswered).toHaveLength(0);
    store.patch('lock', { locked: false });
    await clock.advance(50);
    for (const page of [old, fresh]) {
      expect(page.unanswered[0]?.base).toBeNull();
      page.answer();
      expect(page.mirror.rows.size).toBe(2);
    }
  });

  it('begin again in a new epoch, with none of the old rows', async () => {
    const { store, clock, publisher } = setUp();
    await store.applyRows({ upserts: [upsertOf(record('a'))], removals: [] });
    const page = openPage(publisher);
    await clock.advance(50);
    page.answer();
    store.beginEpoch();
    await clock.advance(50);
    expect(page.unanswered[0]?.base).toBeNull();
    page.answer();
    expect(page.mirror.rows.size).toBe(0);
  });

  it('are not moved by an acknowledgement of something else, nor after closing', async () => {
    const { store, clock, publisher } = setUp();
    const page = openPage(publisher);
    await clock.advance(50);
    page.subscription.answer({ kind: 'acknowledge', epoch: 'other', revision: store.revision });
    page.subscription.answer({ kind: 'acknowledge', epoch: store.epoch, revision: store.revision + 5 });
    store.patch('preferences', { theme: 'night' });
    await clock.advance(50);
    expect(page.unanswered).toHaveLength(1);
    page.answer();
    await clock.advance(50);
    expect(page.unanswered).toHaveLength(1);
    page.subscription.close();
    page.answer();
    store.patch('preferences', { theme: 'day' });
    await clock.advance(50);
    expect(page.unanswered).toHaveLength(0);
  });
});

type Step =
  | { readonly kind: 'upsert'; readonly id: number; readonly value: number }
  | { readonly kind: 'remove'; readonly id: number }
  | { readonly kind: 'advance' | 'answer' | 'resync' | 'epoch' | 'lock' | 'unlock' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('upsert' as const), id: fc.nat(30), value: fc.nat(5) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: fc.nat(30) }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'advance' as const }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'answer' as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { kind: 'resync' as const },
      { kind: 'epoch' as const },
      { kind: 'lock' as const },
      { kind: 'unlock' as const },
    ),
  },
);

describe('a mirror', () => {
  it('equals the store after any history of changes, answers and lapses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { store, clock, publisher } = setUp();
        const page = openPage(publisher);
        const model = new Map<string, IncidentRecord>();
        for (const one of steps) {
          switch (one.kind) {
            case 'upsert': {
              const id = `inc-${String(one.id)}`;
              const location = one.value === 0 ? null : { latitude: one.value, longitude: 0, altitude: null };
              const next = record(id, {
                evidenceCount: one.value,
                severity: `s${String(one.value)}`,
                location,
              });
              model.set(id, next);
              await store.applyRows({ upserts: [upsertOf(next)], removals: [] });
              break;
            }
            case 'remove':
              model.delete(`inc-${String(one.id)}`);
              await store.applyRows({ upserts: [], removals: [`inc-${String(one.id)}`] });
              break;
            case 'advance':
              await clock.advance(40);
              break;
            case 'answer':
              page.answer();
              break;
            case 'resync':
              page.answer({ kind: 'resync' });
              page.subscription.answer({ kind: 'resync' });
              break;
            case 'epoch':
              model.clear();
              store.beginEpoch();
              break;
            case 'lock':
              store.patch('lock', { locked: true });
              break;
            case 'unlock':
              store.patch('lock', { locked: false });
              break;
          }
        }
        store.patch('lock', { locked: false });
        do {
          page.answer();
          await clock.advance(40);
        } while (page.unanswered.length > 0);
        expect(page.mirror.byId()).toEqual(mirrored(model.values()));
        expect(page.mirror.slices).toEqual(store.slicesSince(null));
        expect(store.incidents.count).toBe(model.size);
      }),
      { numRuns: 60 },
    );
  });
});
