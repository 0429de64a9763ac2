import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import type { Clock } from '../../src-main/core/base/ports.ts';
import { Scope } from '../../src-main/core/base/scope.ts';
import { momentsOf } from '../../src-main/core/base/failure.ts';
import { eventLimit } from '../../src-main/core/features/events/eventBlocks.ts';
import { LiveEvents } from '../../src-main/core/features/events/liveEvents.ts';
import type { CoordinationApi } from '../../src-main/core/service/api/coordination.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { eventsSchema, ok, type EventsState } from '../../src-preload/contract/index.ts';
import { createTestStore } from '../core/state/storeFixtures.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { createVirtualClock, flush, stepUntil, until } from '../support/clock.ts';
import { eventDeployment } from '../core/features/events/eventRig.ts';
import { createRecordingLogger, createSeededRandom } from '../support/ports.ts';
import { drawBytes, drawJunk, drawText, jsonText } from './support/mutations.ts';

interface Listening {
  readonly stop: () => Promise<void>;
  readonly counts: { incidents: number; missions: number; evidence: number; writes: number };
  state(): EventsState;
}

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Live events on whatever `bytes` gives. */
function listen(clock: Clock, events: CoordinationApi['events']): Listening {
  const store = createTestStore();
  const counts = { incidents: 0, missions: 0, evidence: 0, writes: 0 };
  let before = store.slice('events');
  store.onChange(() => {
    if (store.slice('events') !== before) counts.writes += 1;
    before = store.slice('events');
  });
  const logger = createRecordingLogger();
  const scope = new Scope({ clock, logger });
  const live = new LiveEvents(
    {
      ...{ scope, store, logger, clock: scope.clock, random: createSeededRandom() },
      ...momentsOf(() => clock.wallNow()),
      coordination: { events },
      deployment: eventDeployment('/events'),
    },
    {
      knowsIncident: (id) => id.startsWith('INC-'),
      takePosition: () => null,
      onIncident: () => (counts.incidents += 1),
      onMission: () => (counts.missions += 1),
      onEvidence: () => (counts.evidence += 1),
      session: () => 'live',
    },
  );
  const stop = (): Promise<void> => scope[Symbol.asyncDispose]();
  stops.push(stop);
  live.open();
  return { stop, counts, state: () => eventsSchema.parse(store.slice('events')) };
}

const stream = (bytes: AsyncIterable<Uint8Array>): ReturnType<CoordinationApi['events']> =>
  Promise.resolve(ok({ status: 200, requestId: null, contentType: 'text/event-stream', bytes }));

/** A stream that stays open after its last piece, until it is given up. */
async function* lasting(pieces: Iterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield piece;
  if (!signal.aborted) await once(signal, 'abort');
}

/** Cuts bytes: at every one, in random pieces, or not at all. */
function cut(bytes: Uint8Array, draw: Seeded): Uint8Array[] {
  const mode = bytes.length > 5_000 ? 2 : draw.below(4);
  if (mode === 0) return [...bytes].map((byte) => Uint8Array.of(byte));
  if (mode === 3) return [bytes];
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + draw.below(mode === 1 ? 12 : 40_000);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

interface Odd {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** How many events it makes, and how many are dropped; null where that cannot be told. */
  readonly events: number | null;
  readonly dropped: number | null;
}

const text = (written: string): Uint8Array => Buffer.from(written);
const ends: readonly [string, ...string[]] = ['\n', '\r', '\r\n'];

/** One event that something is wrong or unusual about, without its blank line. */
function drawOdd(draw: Seeded): Odd {
  const end = draw.pick(ends);
  switch (draw.below(9)) {
    case 0:
      return { name: 'random bytes', bytes: drawBytes(draw, 400), events: null, dropped: null };
    case 1: {
      const data = jsonText(drawJunk(draw)).slice(0, 100_000);
      return {
        name: 'odd JSON',
        bytes: text(`data: ${data}${end}`),
        events: 1,
        dropped: 0,
      };
    }
    case 2: {
      const size = eventLimit + draw.below(800_000);
      const field = draw.pick(['data: ', 'x', 'event: ', 'id: ']);
      return { name: 'huge line', bytes: text(`${field}${'z'.repeat(size)}${end}`), events: 0, dropped: 1 };
    }
    case 3: {
      const line = `data: ${'é'.repeat(draw.below(500))}${end}`;
      const lines = Math.ceil(eventLimit / Buffer.byteLength(line.replace('\r\n', '\n'))) + 1;
      return { name: 'huge event', bytes: text(line.repeat(lines)), events: 0, dropped: 1 };
    }
    case 4: {
      const bad = Buffer.from([0xc3, 0x28, 0xf0, 0x9f, 0x98].slice(0, 1 + draw.below(5)));
      return {
        name: 'broken UTF-8',
        bytes: Buffer.concat([text('data: '), bad, text(end)]),
        events: 0,
        dropped: 1,
      };
    }
    case 5: {
      const lines = [`event: k${end}`, `: c${end}`, `data: 😀é€${end}`, `id: 9${end}`, `retry: 1${end}`];
      const drawn = Array.from({ length: 12 }, () => draw.pick(lines as [string, ...string[]]));
      return {
        name: 'interleaved fields',
        bytes: text(drawn.join('')),
        events: drawn.some((line) => line.startsWith('data')) ? 1 : 0,
        dropped: 0,
      };
    }
    case 6: {
      const comments = `: ${'c'.repeat(draw.below(200))}${end}`.repeat(draw.below(3_000));
      return { name: 'comments', bytes: text(comments), events: 0, dropped: 0 };
    }
    case 7: {
      const field = draw.pick(['dat', 'Data: x', 'data : x', ' data: x', 'foo', '=', 'retry: x', 'id']);
      return { name: 'unknown fields', bytes: text(`${field}${end}`.repeat(20)), events: 0, dropped: 0 };
    }
    default: {
      const kind = drawText(draw, 400)
        .toWellFormed()
        .replaceAll(/[\r\n]/g, '');
      const data = drawText(draw, 2_000)
        .toWellFormed()
        .replaceAll(/[\r\n]/g, '');
      return {
        name: 'any text',
        bytes: text(`event:${kind}${end}data:${data}${end}`),
        events: 1,
        dropped: 0,
      };
    }
  }
}

const gc = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

describe('the event stream', () => {
  it(
    'survives malformed, split, huge and interleaved events, and reads those beside them',
    async () => {
      const outcomes = await runCampaign(
        { name: 'event stream', whole: 4_000, part: 400 },
        async (draw, index) => {
          const odd = drawOdd(draw);
          const number = String(index);
          const bytes = Buffer.concat([
            text(`event: before\ndata: {"incident_id":"INC-${number}"}\n\n`),
            odd.bytes,
            // Ends whatever it was: after random bytes one line end may be the second half of another.
            text('\n\n\n'),
            text(`event: after\ndata: {"mission_id":"M-${number}","é":"€😀"}\n\n`),
          ]);
          const clock = createVirtualClock();
          const pieces = cut(bytes, draw);
          const { stop, state, counts } = listen(clock, (_, { signal }) => stream(lasting(pieces, signal)));
          await until(() => counts.missions > 0, 'the event after them');
          await clock.advance(300);
          const { received, dropped, recent, failure, state: phase } = state();
          await stop();
          expect({ phase, failure }).toEqual({ phase: 'open', failure: null });
          expect(recent[0]).toMatchObject({ kind: 'after', missionId: `M-${number}`, number: received });
          expect(recent[0]?.text).toBe(`{"mission_id":"M-${number}","é":"€😀"}`);
          expect(recent.at(-1)).toMatchObject({ kind: 'before', incidentId: `INC-${number}`, number: 1 });
          if (odd.events !== null) expect(received).toBe(2 + odd.events);
          if (odd.dropped !== null) expect(dropped).toBe(odd.dropped);
          return odd.name;
        },
      );
      expect(outcomes.size).toBe(9);
    },
    campaignTimeoutMs,
  );

  it('takes one byte a second for a living stream, and its event when it is whole', async () => {
    const clock = createVirtualClock();
    const bytes = text(': slow\r\n\r\nevent: slow\r\ndata: {"incident":"INC-7","é":"😀"}\r\n\r\n');
    let asked = 0;
    async function* slow(signal: AbortSignal): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) {
        await new Promise<void>((resolve) => clock.schedule(1_000, resolve));
        if (signal.aborted) return;
        yield Uint8Array.of(byte);
      }
      await once(signal, 'abort');
    }
    const { state, counts } = listen(clock, (_, { signal }) => {
      asked += 1;
      return stream(slow(signal));
    });
    await clock.advance((bytes.length - 2) * 1_000);
    expect(state()).toMatchObject({ state: 'open', received: 0 });
    await clock.advance(3_000);
    expect(state()).toMatchObject({ state: 'open', received: 1, dropped: 0 });
    expect(state().recent[0]).toMatchObject({ kind: 'slow', incidentId: 'INC-7' });
    expect({ asked, incidents: counts.incidents }).toEqual({ asked: 1, incidents: 1 });
  });

  it('reads a line without an end in bounded memory, and goes on after it', async () => {
    const clock = createVirtualClock();
    const piece = Buffer.alloc(64 * 1024, 0x78);
    function* endless(): Generator<Uint8Array> {
      yield text('data: ');
      for (let at = 0; at < 4_096; at += 1) yield piece;
      yield text('\n\ndata: after\n\n');
    }
    const before = await memorySettled();
    const { state } = listen(clock, (_, { signal }) => stream(lasting(endless(), signal)));
    await stepUntil(clock, () => state().received === 1, { what: 'the event after it', stepMs: 200 });
    const grown = (await memorySettled()) - before;
    process.stdout.write(`event stream, a line of 256 MB: ${megabytes(grown)} more memory\n`);
    expect(state()).toMatchObject({ received: 1, dropped: 1 });
    expect(grown).toBeLessThan(20 * 1_048_576);
  });

  it.each(['in one process', 'over HTTP'])(
    'takes 100,000 events at once %s in bounded memory, and lets others have their turn',
    async (way) => {
      const events = 100_000;
      const clock = createClock();
      const pieces = burst(events);
      const source = way === 'over HTTP' ? await serve(pieces) : null;
      const before = await memorySettled();
      const begun = performance.now();
      const heard = listen(clock, async (_, { signal }) => {
        if (source === null) return stream(lasting(pieces, signal));
        const { body } = await request(source, { signal, bodyTimeout: 0 });
        return stream(body);
      });
      const { state, counts } = heard;
      let [yielding, longest, peak] = [0, 0, 0];
      let last = begun;
      while (counts.missions < events / 100) {
        await new Promise((resolve) => setImmediate(resolve));
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        yielding += 1;
        if (yielding % 8 === 0) peak = Math.max(peak, memoryNow());
      }
      const took = performance.now() - begun;
      await until(() => state().received === events, 'the last event in the slice');
      const grown = (await memorySettled()) - before;
      process.stdout.write(
        `event stream, ${way}: 100,000 events in ${took.toFixed(0)} ms, ${String(yielding)} turns of the loop ` +
          `(longest ${longest.toFixed(0)} ms), slice written ${String(counts.writes)} times, ` +
          `${String(counts.incidents)} hints; memory ${megabytes(grown)} more afterwards, ` +
          `${megabytes(peak - before)} more at its peak\n`,
      );
      const { recent, dropped } = state();
      expect(dropped).toBe(0);
      expect(recent).toHaveLength(100);
      expect(recent.map(({ number }) => number)).toEqual(
        Array.from({ length: 100 }, (_, index) => events - index),
      );
      expect(recent[0]?.text).toBe(eventData(events - 1));
      expect(counts.missions).toBe(events / 100);
      expect(yielding).toBeGreaterThan(10);
      // At the start, and then five times a second.
      expect(counts.writes).toBeLessThan(6 + ((performance.now() - begun) / 1_000) * 6);
      expect(grown).toBeLessThan(30 * 1_048_576);
    },
    campaignTimeoutMs,
  );
});

function memoryNow(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What is in use once the garbage is gone, bytes. Buffers go a turn after what held them. */
async function memorySettled(): Promise<number> {
  for (let time = 0; time < 3; time += 1) {
    gc();
    await flush();
  }
  return memoryNow();
}

/** Every hundredth event is about a mission, every tenth about an incident. */
const eventData = (index: number): string =>
  JSON.stringify({
    ...(index % 100 === 99 ? { mission_id: `M-${String(index)}` } : {}),
    ...(index % 10 === 0 ? { incident_id: `INC-${String(index % 500)}` } : {}),
    note: 'é€😀 and more words that make it about as long as an event is',
    index,
  });

function burst(events: number): Uint8Array[] {
  const bytes = Buffer.from(
    Array.from(
      { length: events },
      (_, index) => `id: ${String(index)}\nevent: burst\ndata: ${eventData(index)}\n\n`,
    ).join(''),
  );
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) pieces.push(bytes.subarray(at, at + 65_536));
  return pieces;
}

/** A server that sends these as fast as they are taken, and then nothing. */
async function serve(pieces: readonly Uint8Array[]): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void (async () => {
      for (const piece of pieces) if (!response.write(piece)) await once(response, 'drain');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/events`;
}
