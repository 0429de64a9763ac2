import { sleep } from '../../../../src-main/core/base/sleep.ts';
import { describe, expect, it } from 'vitest';
import { contentKeyOf } from '../../../../src-main/core/features/evidence/cid/parse.ts';
import { evidenceAtStart } from '../../../../src-main/core/features/evidence/evidenceState.ts';
import { flush } from '../../../support/clock.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { LargeGate } from '../../service/transport/largeGate.ts';
import { createEvidenceRig, failing, paged, rawCid } from './evidenceRig.ts';
import { saying } from '../../../support/messages.ts';

const item = (number: number, incident = `i-${String(number % 10)}`) => ({
  cid: rawCid(`file ${String(number)}`),
  incident_id: incident,
  created_at: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
  size: number,
});
const items = (count: number) => Array.from({ length: count }, (_, index) => item(index));

describe('the list', () => {
  it('is read over all pages of a cursor, newest first', async () => {
    const rig = createEvidenceRig();
    rig.answer = paged(items(450), 200);
    await rig.start();
    await flush();
    expect(rig.asked.map(({ params }) => params)).toEqual([
      { limit: 200 },
      { limit: 200, cursor: 'c-200' },
      { limit: 200, cursor: 'c-400' },
    ]);
    expect(rig.slice()).toMatchObject({ count: 450, complete: true, freshness: 'fresh', failure: null });
    const page = rig.feature.read({ incidentId: null, from: 0, count: 2 });
    expect(page).toMatchObject({ total: 450, revision: rig.slice().revision });
    expect(page.items.map(({ fields }) => fields[3]?.json)).toEqual(['449', '448']);
    const one = rig.feature.read({ incidentId: 'i-7', from: 40, count: 10 });
    expect(one.total).toBe(45);
    expect(one.items.map(({ incidentId }) => incidentId)).toEqual(['i-7', 'i-7', 'i-7', 'i-7', 'i-7']);
    expect(rig.feature.read({ incidentId: 'none', from: 0, count: 10 })).toMatchObject({
      total: 0,
      items: [],
    });
  });

  it('holds one large page at a time, and none once it is read', async () => {
    const rig = createEvidenceRig();
    const gate = new LargeGate();
    const free: boolean[] = [];
    rig.answer = async (params) => {
      free.push(await gate.isFree());
      await gate.enter(rig.asked.at(-1)?.options);
      expect(await gate.isFree()).toBe(false);
      return paged(items(450), 200)(params);
    };
    await rig.start();
    await flush();
    expect(rig.slice()).toMatchObject({ count: 450, failure: null });
    expect(free).toEqual([true, true, true]);
    expect(await gate.isFree()).toBe(true);
    rig.answer = async () => {
      await gate.enter(rig.asked.at(-1)?.options);
      return { body: 'no list' };
    };
    await rig.feature.refresh();
    expect(rig.slice().failure).not.toBeNull();
    expect(await gate.isFree()).toBe(true);
  });

  it('a page that is as it was does not come again, until the operator asks or hours have passed', async () => {
    const rig = createEvidenceRig();
    let all = items(450);
    let comes = 0;
    rig.answer = (params, known) => {
      const answer = paged(all, 200)(params);
      const etag = `"${String(JSON.stringify(answer).length)}"`;
      if (known?.etag === etag) return { body: null, isUnchanged: true };
      comes += 1;
      return { ...answer, validator: { etag, modified: null } };
    };
    await rig.start();
    await flush();
    await rig.clock.advance(600_000);
    expect([comes, rig.asked.length]).toEqual([3, expect.any(Number)]);
    expect(rig.asked.length).toBeGreaterThan(20);
    expect(rig.slice()).toMatchObject({ count: 450, complete: true, freshness: 'fresh', failure: null });
    // The last page alone has one less.
    all = items(449);
    await rig.clock.advance(120_000);
    expect(comes).toBe(4);
    expect(rig.slice()).toMatchObject({ count: 449, complete: true });
    await rig.feature.refresh();
    expect(comes).toBe(7);
    rig.clock.sleep(6 * 3_600_000);
    await rig.clock.advance(120_000);
    expect(comes).toBe(10);
  });

  it('follows a cursor that comes in a header beside a bare array', async () => {
    const rig = createEvidenceRig();
    rig.answer = ({ cursor }) =>
      cursor === undefined ? { body: items(50), linkCursor: 'next' } : { body: items(60).slice(50) };
    await rig.start();
    await flush();
    expect(rig.slice()).toMatchObject({ count: 60, complete: true });
  });

  it.each([
    [0, true],
    [17, true],
    [50, false],
    [150, false],
    [199, true],
    [200, false],
    [1_707, false],
  ])('as a bare array of %i is complete: %s', async (count, complete) => {
    const rig = createEvidenceRig();
    rig.answer = () => ({ body: items(count) });
    await rig.start();
    // A slow machine takes several turns for a long list.
    for (let yielding = 0; yielding < 200 && (yielding === 0 || rig.slice().reading); yielding += 1)
      await flush();
    expect(rig.slice()).toMatchObject({ count, complete });
    expect(await rig.feature.find([rawCid('never sent')])).toBe(complete ? 'not-found' : 'unknown');
    if (count > 0) expect(await rig.feature.find(['nothing', rawCid('file 0')])).toBe('found');
  });

  it('ends at a cursor that comes again, and is not complete then', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => ({ body: { items: items(3), next_cursor: 'same' } });
    await rig.start();
    await flush();
    expect(rig.asked).toHaveLength(2);
    expect(rig.slice()).toMatchObject({ count: 3, complete: false });
  });

  it('ends at 100,000 items and at 1,000 pages', async () => {
    const rig = createEvidenceRig();
    let page = 0;
    rig.answer = () => ({ body: { items: [{ n: page }], next_cursor: String((page += 1)) } });
    await rig.start();
    for (let yielding = 0; yielding < 200 && rig.slice().reading; yielding += 1) await flush();
    expect(rig.asked).toHaveLength(1_000);
    expect(rig.slice()).toMatchObject({ count: 1_000, withoutCid: 1_000, complete: false });
  });

  it('keeps its keys, and its revision while nothing changes', async () => {
    const rig = createEvidenceRig();
    rig.answer = paged(items(30), 20);
    await rig.start();
    await flush();
    const before = rig.items();
    const { revision } = rig.slice();
    await rig.feature.refresh();
    expect(rig.slice().revision).toBe(revision);
    rig.answer = paged([...items(31)].reverse(), 20);
    await rig.feature.refresh();
    expect(rig.slice().revision).toBeGreaterThan(revision);
    expect(rig.items().slice(1)).toEqual(before);
    expect(new Set(rig.items().map(({ key }) => key)).size).toBe(31);
    rig.answer = paged(items(5), 20);
    await rig.feature.refresh();
    expect(rig.slice().count).toBe(5);
  });

  it('counts what is no object, and lists what has no CID', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => ({ body: [1, null, 'x', [], {}, { note: 'nothing' }] });
    await rig.start();
    await flush();
    expect(rig.slice()).toMatchObject({ count: 2, withoutCid: 2, unreadable: 4 });
  });

  it('says what is not a list', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => ({ body: { a: [], b: [] } });
    await rig.start();
    await flush();
    expect(rig.slice()).toMatchObject({ failure: { code: 'unreadable-answer' }, freshness: 'none' });
  });

  it('keeps what is known when a later page fails', async () => {
    const rig = createEvidenceRig();
    rig.answer = paged(items(30), 20);
    await rig.start();
    await flush();
    const { lastReadAt } = rig.slice();
    const all = paged(items(40), 20);
    rig.answer = (params) => (params.cursor === undefined ? all(params) : failing('unreachable'));
    await rig.clock.advance(1_000);
    expect(await rig.feature.refresh()).toMatchObject({ ok: false });
    expect(rig.slice()).toMatchObject({
      count: 30,
      complete: true,
      lastReadAt,
      failure: { code: 'unreachable' },
    });
    // What an earlier reading listed proves nothing now.
    for (const file of ['file 3', 'file 39']) {
      expect(await rig.feature.find([rawCid(file)])).toBe('unknown');
    }
  });
});

describe('polling', () => {
  it('reads at the interval, give or take a fifth', async () => {
    const rig = createEvidenceRig();
    await rig.start();
    await rig.clock.advance(600_000);
    expect(rig.asked.length).toBeGreaterThanOrEqual(9);
    expect(rig.asked.length).toBeLessThanOrEqual(13);
  });

  it.each([
    ['a slow line', 7_000, 1_800, 288_000],
    ['a very slow one', 7_000, 10_000, 600_000],
    ['a quick one', 90_000, 1_800, 60_000],
  ])('leaves the line to others: on %s', async (_, bytesPerSecond, takesMs, everyMs) => {
    const rig = createEvidenceRig();
    rig.store.patch('line', { bytesPerSecond });
    rig.answer = async () => {
      await sleep(rig.clock, takesMs, new AbortController().signal);
      return { body: [] };
    };
    await rig.start();
    await rig.clock.advance(3_600_000);
    expect(rig.asked.length).toBeGreaterThan((0.75 * 3_600_000) / everyMs);
    expect(rig.asked.length).toBeLessThan(1 + (1.3 * 3_600_000) / everyMs);
  });

  it('stops at a missing scope until an operator asks or there is another token', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => failing('not-granted', { status: 403, words: 'no scope' });
    await rig.start();
    await rig.clock.advance(600_000);
    expect(rig.asked).toHaveLength(1);
    expect(rig.slice()).toMatchObject({
      failure: { code: 'not-granted', words: 'no scope' },
      reading: false,
    });
    rig.feature.requestRead();
    rig.feature.connectionReturned();
    rig.feature.wake();
    expect(await rig.feature.find([rawCid('x')])).toBe('unknown');
    await rig.clock.advance(10_000);
    expect(rig.asked).toHaveLength(1);
    await rig.feature.refresh();
    expect(rig.asked[1]?.options).toMatchObject({ recheck: true, interactive: true });
    rig.answer = () => ({ body: [] });
    rig.feature.tokenChanged();
    await flush();
    expect(rig.asked).toHaveLength(3);
    expect(rig.slice()).toMatchObject({ failure: null, freshness: 'fresh' });
    await rig.clock.advance(120_000);
    expect(rig.asked.length).toBeGreaterThan(3);
  });

  it('does not take an older token’s refusal for the present one’s', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => {
      rig.feature.tokenChanged();
      rig.answer = () => ({ body: [item(1)] });
      return failing('not-granted', { status: 403 });
    };
    await rig.start();
    await rig.clock.advance(120_000);
    expect(rig.slice()).toMatchObject({ count: 1, failure: null });
  });

  it('continues after a bug', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => {
      throw new Error('a bug');
    };
    await rig.start();
    await flush();
    expect(rig.slice().failure).toMatchObject({ code: 'internal' });
    rig.answer = () => ({ body: [item(1)] });
    await rig.clock.advance(120_000);
    expect(rig.slice()).toMatchObject({ count: 1, failure: null });
  });

  it('backs off after failures, and reads at once when the connection returns', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => failing('unreachable');
    await rig.start();
    await rig.clock.advance(3_600_000);
    expect(rig.asked.length).toBeLessThan(20);
    const before = rig.asked.length;
    rig.answer = () => ({ body: [] });
    rig.feature.connectionReturned();
    await flush();
    expect(rig.asked).toHaveLength(before + 1);
    expect(rig.slice().failure).toBeNull();
  });

  it('never asks before the time that the service named', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => failing('too-many-requests', { status: 429, retryAt: rig.clock.wallNow() + 500_000 });
    await rig.start();
    await rig.clock.advance(1_000);
    rig.feature.connectionReturned();
    rig.feature.requestRead();
    await rig.clock.advance(480_000);
    expect(rig.asked).toHaveLength(1);
    await rig.clock.advance(120_000);
    expect(rig.asked).toHaveLength(2);
  });

  it('reads within 2 s after a hint, once for many', async () => {
    const rig = createEvidenceRig();
    await rig.start();
    await flush();
    for (let count = 0; count < 1_000; count += 1) rig.feature.requestRead();
    await rig.clock.advance(2_000);
    expect(rig.asked).toHaveLength(2);
  });

  it('asks again for an operator while an older read is running', async () => {
    const rig = createEvidenceRig();
    const waiting: (() => void)[] = [];
    rig.answer = () =>
      new Promise((resolve) => {
        const number = rig.asked.length;
        waiting.push(() => {
          resolve({ body: number === 1 ? [] : [item(1)] });
        });
      });
    await rig.start();
    await flush();
    const found = Promise.all([rig.feature.find([rawCid('file 1')]), rig.feature.find([rawCid('file 1')])]);
    waiting.shift()?.();
    await flush();
    waiting.shift()?.();
    expect(await found).toEqual(['found', 'found']);
    expect(rig.asked).toHaveLength(2);
  });

  it('becomes old, and offline', async () => {
    const rig = createEvidenceRig();
    await rig.start();
    await flush();
    rig.answer = () => failing('unreachable');
    await rig.clock.advance(300_000);
    rig.feature.review();
    expect(rig.slice().freshness).toBe('stale');
    rig.link.state = 'offline';
    rig.feature.review();
    expect(rig.slice().freshness).toBe('offline');
  });
});

describe('what is stored', () => {
  it('is there at the next start, and said to be old', async () => {
    const records = new MemoryRecords();
    const first = createEvidenceRig();
    first.answer = paged(items(6_000), 200);
    await first.start(records);
    for (let yielding = 0; yielding < 100 && first.slice().reading; yielding += 1) await flush();
    await first.feature.stop();
    expect(first.slice()).toMatchObject({ count: 0, revision: 0, gateways: [] });
    expect(records.using).toBe(0);

    const second = createEvidenceRig();
    second.answer = () => failing('unreachable');
    await second.start(records);
    expect(second.slice()).toMatchObject({ count: 5_000, complete: false, freshness: 'stale' });
    expect(second.items()[0]?.fields).toEqual(first.items()[0]?.fields ?? second.items()[0]?.fields);
    expect(second.items()[0]?.fields[3]).toEqual({ name: 'size', json: '5999' });
    second.link.state = 'offline';
    await flush();
    second.feature.review();
    expect(second.slice().freshness).toBe('offline');
    second.answer = paged(items(10), 200);
    await second.feature.refresh();
    expect(second.slice()).toMatchObject({ count: 10, complete: true });
    await second.feature.stop();
    expect(records.tables.documents.get('evidence')).toContain('"whole":true');
  });

  it('does not hold anything up that cannot be read or written', async () => {
    const records = new MemoryRecords();
    records.tables.documents.set('evidence', '{"version":2}');
    records.refuses = () => true;
    const rig = createEvidenceRig();
    rig.answer = paged(items(3), 200);
    await rig.start(records);
    await flush();
    expect(rig.slice()).toMatchObject({ count: 3, complete: true });
    expect(rig.logger.lines.map(({ event }) => event)).toContain('document-not-kept');
  });

  it('is not shown to the next operator', async () => {
    const rig = createEvidenceRig();
    rig.answer = paged(items(3), 200);
    await rig.start();
    await flush();
    const { revision } = rig.slice();
    await rig.feature.stop();
    expect(rig.slice()).toEqual(evidenceAtStart);
    rig.answer = () => ({ body: [] });
    await rig.start();
    expect(rig.slice().count).toBe(0);
    expect(rig.slice().revision).toBeGreaterThan(revision);
    expect(rig.clock.pending()).toBeLessThanOrEqual(1);
  });

  it('is left by a start that is overtaken by a stop', async () => {
    const rig = createEvidenceRig();
    const starting = rig.start(new MemoryRecords());
    await rig.feature.stop();
    await starting;
    await rig.clock.advance(600_000);
    expect(rig.asked).toHaveLength(0);
    expect(rig.clock.pending()).toBe(0);
  });
});

describe('a gateway', () => {
  const gateways = ['https://one.example/ipfs/', 'https://two.example:8443/', 'https://one.example/other/'];
  const cid = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';

  it('names what one incident, several or all have, each spelling once', async () => {
    const rig = createEvidenceRig();
    rig.answer = () => ({ body: [...items(30), item(3)] });
    await rig.start();
    await rig.feature.refresh();
    expect(rig.feature.cids(['i-3'])).toHaveLength(3);
    expect(rig.feature.cids(['i-3', 'i-4', 'i-3', 'unknown'])).toHaveLength(6);
    expect(rig.feature.cids([])).toEqual([]);
    expect(rig.feature.cids(null)).toHaveLength(30);
    await rig.feature.stop();
  });

  it('knows the addresses that items give, as far as they lie under it', async () => {
    const rig = createEvidenceRig({ gateways: ['https://gateway.example/ipfs/'] });
    const under = (path: string): string => `https://gateway.example/ipfs/${path}`;
    const cid = rawCid('one');
    rig.answer = () => ({
      body: [
        {
          cid,
          url: under('a/flood.jpg'),
          copies: { first: under('b?size=full'), second: 'https://elsewhere.example/ipfs/b' },
          home: under(''),
          climbs: under('../login'),
          note: `see ${under('c')} and ${under('d')}`,
        },
        { cid: rawCid('two'), url: 'https://gateway.example.evil/ipfs/x' },
        { url: under('without-a-cid') },
      ],
    });
    await rig.start();
    await rig.feature.refresh();
    const of = (text: string): readonly string[] => rig.feature.addressesOf(contentKeyOf(text) ?? '');
    expect(of(cid)).toEqual([under('a/flood.jpg'), under('b?size=full')]);
    expect(of(rawCid('two'))).toEqual([]);
    await rig.feature.stop();
  });

  it('is opened by its address, with the CID written again', async () => {
    const rig = createEvidenceRig({ gateways });
    await rig.start();
    expect(rig.slice().gateways).toEqual(gateways);
    expect(await rig.feature.open(cid, 'https://one.example/ipfs/')).toEqual({ ok: true, value: null });
    await rig.feature.open(rawCid('hello'), 'https://two.example:8443/');
    await rig.feature.open(cid, 'https://one.example/other/');
    expect(rig.opened).toEqual([
      `https://one.example/ipfs/${cid}`,
      expect.stringMatching(/^https:\/\/two\.example:8443\/bafkrei[a-z2-7]+$/),
      `https://one.example/other/${cid}`,
    ]);
  });

  it('is refused where the deployment names no such one, and for what is no CID', async () => {
    const rig = createEvidenceRig({ gateways });
    await rig.start();
    for (const gateway of ['one.example', 'https://evil.example/', 'https://one.example/', '']) {
      expect(await rig.feature.open(cid, gateway)).toMatchObject({ failure: { code: 'gateway-refused' } });
    }
    for (const bad of ['', '../../admin', `${cid}/../x`, `${cid}?x`, 'file:///etc/passwd']) {
      expect(await rig.feature.open(bad, 'https://one.example/ipfs/')).toMatchObject({
        failure: { code: 'bad-request' },
      });
    }
    expect(rig.opened).toEqual([]);
    rig.opens = false;
    expect(await rig.feature.open(cid, 'https://one.example/ipfs/')).toMatchObject({
      failure: { sentence: saying('Can’t open the system’s browser.') },
    });
  });
});
