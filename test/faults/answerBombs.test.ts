import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consoleNodeOptions } from '../../build/node-options.mjs';
import { realWeek } from '../../src-main/training/world.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import type { Read, ReadOperation } from './programs/reading.ts';
import { drawBomb, drawSize } from './support/bombs.ts';

const credentials = { username: 'operator', password: 'correct horse' };
const mebibyte = 1024 * 1024;
const mostResident = 600 * mebibyte;
/** Small: the list of 22 million empty arrays takes 64 KB. */
const mostOnWire = 100_000;

interface Served {
  readonly status: number;
  readonly encoding: 'gzip' | 'br';
  readonly bytes: Buffer;
}

/** What every path but the sign-in answers with; null for what the interface says. */
let served: Served | null = null;
/** Whether the sign-in answers with it as well. */
let atSignIn = false;
let requests = 0;

function answer(response: ServerResponse, path: string): void {
  if (served !== null && (path !== '/login' || atSignIn)) {
    const { status, encoding, bytes } = served;
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(bytes);
    return;
  }
  const expiresAt = Math.floor(Date.now() / 1_000) + 86_400;
  const specified: Readonly<Record<string, unknown>> = {
    '/login': { token: 'token', expires_at: expiresAt },
    '/health': { status: 'ok', ai: true },
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(specified[path] ?? []));
}

const server = createServer((request, response) => {
  requests += 1;
  request.resume().on('end', () => {
    answer(response, new URL(request.url ?? '/', 'http://service').pathname);
  });
});
let folder: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  folder = await mkdtemp(join(tmpdir(), 'field-console-bombs-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  await writeFile(
    join(folder, 'deployment.json'),
    JSON.stringify({
      version: 1,
      id: 'bombs',
      name: 'Bombs',
      infrastructureUrl: url,
      coordinationUrl: url,
      timestampUnit: 'seconds',
      pollIntervals: { incidentsMs: 3_600_000, healthMs: 3_600_000 },
      sync: { requestsPerMinute: 6_000 },
      missions: { pendingPath: '/missions' },
      retention: { incidents: 100_000 },
    }),
  );
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A console that does what it is asked to, one operation after the other. */
function openReader(): { run(operation: ReadOperation): Promise<Read>; end(): Promise<void> } {
  const program = fileURLToPath(new URL('programs/reading.ts', import.meta.url));
  const files = [join(folder, 'data'), join(folder, 'deployment.json')];
  const child = spawn(process.execPath, [...consoleNodeOptions, program, ...files], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4_000)));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${JSON.stringify(credentials)}\n`);
  return {
    async run(operation) {
      child.stdin.write(`${operation}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error(`The console ended: ${errors}`);
      return JSON.parse(line.value) as Read;
    },
    async end() {
      child.stdin.end();
      await exited;
    },
  };
}

const compress = {
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 6 }),
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
};

it(
  'lives through any body that is small on the wire, in bounded memory',
  async () => {
    const week = realWeek();
    const reader = openReader();
    let [peak, block, wire, decoded] = [0, 0, 0, 0];
    let slowest = '';
    const take = (read: Read, what: string): string => {
      peak = Math.max(peak, read.peak);
      if (read.block > block) [block, slowest] = [read.block, what];
      expect(read.peak, `resident bytes at ${what}`).toBeLessThan(mostResident);
      return read.outcome;
    };
    expect(take(await reader.run('signIn'), 'sign-in')).toBe('ok');
    const outcomes = await runCampaign(
      { name: 'answer bombs', whole: 300, part: 20 },
      async (draw, index) => {
        const encoding = draw.below(4) === 0 ? 'br' : 'gzip';
        const incident = draw.pick(week as [(typeof week)[0], ...typeof week]);
        let size = drawSize(draw);
        let bomb = drawBomb(draw, size, incident);
        let bytes = compress[encoding](bomb.bytes);
        while (bytes.byteLength > mostOnWire) {
          size /= 2;
          bomb = drawBomb(draw, size, incident);
          bytes = compress[encoding](bomb.bytes);
        }
        [wire, decoded] = [Math.max(wire, bytes.byteLength), Math.max(decoded, bomb.bytes.byteLength)];
        const isSignIn = index % 25 === 24;
        const operation = isSignIn
          ? 'signIn'
          : draw.pick(['refreshIncidents', 'refreshEvidence', 'refreshMissions', 'checkHealth'] as const);
        const before = requests;
        if (isSignIn) take(await reader.run('signOut'), 'sign-out');
        atSignIn = isSignIn;
        served = { status: draw.below(20) === 0 ? 422 : 200, encoding, bytes };
        const run = async (): Promise<string> =>
          take(await reader.run(operation), `${operation}, ${bomb.kind}`);
        let outcome = await run();
        // It may have shared the answer to an earlier request.
        if (requests === before) outcome = await run();
        served = null;
        expect(requests, `requests of ${operation}`).toBeGreaterThan(before);
        if (isSignIn) {
          // It may have been let in: a token and a time are all that a sign-in needs.
          await reader.run('signOut');
          expect(take(await reader.run('signIn'), 'sign-in')).toBe('ok');
        }
        return outcome;
      },
    );
    // The session goes on.
    expect((await reader.run('refreshEvidence')).outcome).toBe('ok');
    await reader.end();
    const mb = (of: number): string => `${(of / mebibyte).toFixed(1)} MiB`;
    process.stdout.write(
      `answer bombs: at most ${mb(wire)} on the wire and ${mb(decoded)} decoded; ${mb(peak)} resident at the peak, ` +
        `event loop held up for at most ${block.toFixed(0)} ms (${slowest})\n`,
    );
    for (const outcome of ['ok', 'answer-too-large', 'unreadable-answer']) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
  },
  campaignTimeoutMs,
);
