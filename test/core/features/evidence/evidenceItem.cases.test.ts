import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { momentsOf } from '../../../../src-main/core/base/failure.ts';
import { EvidenceCache } from '../../../../src-main/core/features/evidence/evidenceCache.ts';
import { readEvidenceItem } from '../../../../src-main/core/features/evidence/evidenceItem.ts';
import { readEvidence } from '../../../../src-main/core/features/evidence/evidenceReader.ts';
import { readPendingMissions } from '../../../../src-main/core/features/missions/pendingList.ts';
import { evidenceItemSchema } from '../../../../src-preload/contract/index.ts';
import { casesOf } from '../../../support/campaign.ts';
import { rawCid } from './evidenceRig.ts';

const a = rawCid('a');
const b = rawCid('b');

describe('an item of evidence', () => {
  it.each([
    [{ id: b, file_cid: a }, a],
    [{ ipfsCid: a, hash: b }, a],
    [{ other: b, content_hash: a }, a],
    [{ note: 'x', link: a }, a],
    [{ file: { cid: a } }, a],
    [{ note: 'none', file: { link: a, size: 1 } }, a],
    [{ links: ['x', a] }, a],
    [{ incident_id: b, link: 'no', cid: a }, a],
    [{ cid: 'not one', hash: a }, a],
    [{ cid: 'not one' }, null],
    [{ transaction_hash: '922347776' }, null],
    [{ size: 922_347_776, phone: '922347776' }, null],
    [{ deep: { deeper: { cid: a } } }, null],
  ])('%j has the CID %s', (raw, cid) => {
    expect(readEvidenceItem(raw)?.cid).toBe(cid);
  });

  it.each([
    [{ incident_id: 'i-1' }, 'i-1'],
    [{ incidentId: 'i-1', incident_type: 'fire' }, 'i-1'],
    [{ incident_type: 'fire', incident_id: 'i-1' }, 'i-1'],
    [{ incident: 'i-1' }, 'i-1'],
    [{ incident: { id: 'i-1', type: 'fire' } }, 'i-1'],
    [{ related_incident_ref: 'i-1' }, 'i-1'],
    [{ incident_type: 'fire', incident_at: '2026-01-01T00:00:00Z' }, null],
    [{ incident_id: 7 }, '7'],
    [{ incident_id: '' }, null],
    [{ cid: a }, null],
  ])('%j names the incident %s', (raw, id) => {
    expect(readEvidenceItem(raw)?.incidentId).toBe(id);
  });

  it.each([
    [{ updated_at: '2026-01-02T00:00:00Z', created_at: '2026-01-01T00:00:00Z' }, Date.UTC(2026, 0, 1)],
    [{ when: '2026-01-02T00:00:00Z' }, Date.UTC(2026, 0, 2)],
    [{ timestamp: 1_700_000_000 }, 1_700_000_000_000],
    [{ created_at: 'yesterday' }, null],
  ])('%j has the time %s', (raw, at) => {
    expect(readEvidenceItem(raw)?.at).toBe(at);
  });

  it('keeps its fields in their order, at most 64, each cut', () => {
    const raw = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${String(index)}`, index]));
    expect(readEvidenceItem(raw)?.fields).toHaveLength(64);
    const long = readEvidenceItem({ z: 'x'.repeat(100_000), a: { deep: [1] } });
    expect(long?.fields[0]?.json.length).toBeLessThan(2_100);
    expect(long?.fields[1]).toEqual({ name: 'a', json: '{"deep":[1]}' });
  });
});

const named = fc.dictionary(
  fc.constantFrom('cid', 'hash', 'incident_id', 'created_at', 'id', 'mission_id', 'status', '__proto__', 'x'),
  fc.oneof(fc.string(), fc.constant(a), fc.constant('2026-01-01T00:00:00Z'), fc.jsonValue()),
);
const list = fc.array(fc.oneof(named, fc.jsonValue()), { maxLength: 30 });
const body = fc.oneof(
  fc.jsonValue({ maxDepth: 6 }),
  list,
  fc.record({ evidence: list, next_cursor: fc.jsonValue() }),
  fc.dictionary(fc.string(), fc.oneof(list, fc.jsonValue())),
);

describe('tolerant reading', () => {
  it('reads any JSON to its end, and what it makes is what pages take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { maxLength: 5 }), fc.option(fc.string()), async (bodies, link) => {
        let page = 0;
        const infrastructure = {
          listEvidence: () =>
            Promise.resolve({
              ok: true as const,
              value: { body: bodies[page++], requestId: null, responseMs: 0, linkCursor: link },
            }),
        };
        const signal = new AbortController().signal;
        const reading = await readEvidence(
          { infrastructure, ...momentsOf(() => 0) },
          { interactive: false, recheck: false, signal },
        );
        const cache = new EvidenceCache({ gateways: ['https://gateway.example/ipfs/'] });
        await cache.take(reading.records, reading.complete);
        for (const item of cache.items) evidenceItemSchema.parse({ ...item, content: null });
        expect(new Set(cache.items.map(({ key }) => key)).size).toBe(cache.items.length);
      }),
      { numRuns: casesOf({ part: 100, whole: 500 }) },
    );
  });

  it('reads any JSON as a list of missions, or says that it is none', () => {
    fc.assert(
      fc.property(body, fc.string(), (any, idField) => {
        const reading = readPendingMissions(any, null, { idField, now: 0 });
        for (const { id } of reading?.missions ?? []) expect(id).toMatch(/^\P{Cc}{1,256}$/u);
      }),
      { numRuns: casesOf({ part: 200, whole: 1_000 }) },
    );
  });
});

describe('an archive of items', () => {
  it('is put away, found by incident and by CID', async () => {
    const items = casesOf({ part: 10_000, whole: 100_000 });
    const records = Array.from({ length: items }, (_, index) => {
      const record = readEvidenceItem({
        id: `e-${String(index)}`,
        cid: index < 1_000 ? rawCid(String(index)) : null,
        incident_id: `i-${String(index % 1_000)}`,
        created_at: new Date(1.7e12 + ((index * 7919) % 100_003) * 1_000).toISOString(),
      });
      if (record === null) throw new Error('not read');
      return record;
    });
    const cache = new EvidenceCache({ gateways: ['https://gateway.example/ipfs/'] });
    const began = performance.now();
    await cache.take(records, true);
    const indexed = performance.now();
    for (let count = 0; count < 1_000; count += 1) cache.read(`i-${String(count)}`, 50, 50);
    const read = performance.now();
    process.stdout.write(
      `evidence: ${String(items)} items put away in ${(indexed - began).toFixed(0)} ms, ` +
        `1,000 pages read in ${(read - indexed).toFixed(1)} ms\n`,
    );
    expect(cache.read('i-1', 0, 200)).toMatchObject({ total: items / 1_000 });
    const times = cache.read(null, 0, 200).items.map(({ at }) => at ?? 0);
    expect(times).toEqual(times.toSorted((x, y) => y - x));
    expect(await cache.take(records, true)).toBe(false);
  });
});
