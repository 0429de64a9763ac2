import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '../../src-main/adapters/log.ts';
import type { LogEvent } from '../../src-main/core/base/logEvents.ts';
import { flush } from '../support/clock.ts';
import { hasModes, modeOf, temporaryFolder } from './support.ts';

const wallNow = (): number => Date.UTC(2026, 10, 20);

async function lines(dataDir: string, file = 'console.log'): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(dataDir, 'logs', file), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('lines have level, time, event and flat fields; close flushes; lower levels are left out', async () => {
  const dataDir = await temporaryFolder();
  const log = createLog({ dataDir, level: 'info', wallNow });
  log.debug('session');
  log.info('request', { status: 200, requestId: 'r-1' });
  log.error('request.failed');
  await log.close();
  expect(await lines(dataDir)).toEqual([
    {
      level: 'info',
      time: '2026-11-20T00:00:00.000Z',
      status: 200,
      requestId: 'r-1',
      msg: 'request',
    },
    { level: 'error', time: '2026-11-20T00:00:00.000Z', msg: 'request.failed' },
  ]);
});

test('no secret reaches the file, by name or inside a text', async () => {
  const dataDir = await temporaryFolder();
  const log = createLog({ dataDir, level: 'debug', wallNow });
  const canary = 'canary-7f3a';
  log.info(`sent Authorization: Bearer ${canary}.x-y_z` as LogEvent, {
    password: canary,
    token: canary,
    Authorization: canary,
    'proxy-authorization': canary,
    access_token: canary,
    'Set-Cookie': canary,
    credentials: canary,
    launchCode: canary,
    header: `bearer   ${canary}`,
    basic: `Basic ${canary}`,
    jwt: `got eyJhbGciOiJub25lIn0.eyJzdWIiOiJ${canary}.sig`,
    url: `https://user:${canary}@host.example/path and http://${canary}@b@other/`,
    harmless: 'https://host.example/path?at=a@b',
    count: 3,
  });
  await log.close();
  const text = await readFile(join(dataDir, 'logs', 'console.log'), 'utf8');
  expect(text).not.toContain(canary);
  expect(await lines(dataDir)).toMatchObject([
    { harmless: 'https://host.example/path?at=a@b', count: 3, password: '[redacted]' },
  ]);
});

test('a text of any length or content stays one line, capped', async () => {
  const dataDir = await temporaryFolder();
  const log = createLog({ dataDir, level: 'info', wallNow });
  log.info('request', { words: 'x'.repeat(1_000_000), injected: 'a\n{"level":"info"}' });
  await log.close();
  const [line, ...more] = await lines(dataDir);
  expect(more).toEqual([]);
  expect(String(line?.['words']).length).toBeLessThan(3_000);
});

test.runIf(hasModes)("file and folder are the operator's own, also if they were not", async () => {
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, 'logs'), { mode: 0o700 });
  await writeFile(join(dataDir, 'logs', 'console.log'), '');
  await chmod(join(dataDir, 'logs', 'console.log'), 0o644);
  const log = createLog({ dataDir, level: 'info', wallNow, largestBytes: 500 });
  for (let index = 0; index < 30; index += 1) {
    log.info('request', { index });
    if (index % 10 === 9) await flush();
  }
  await log.close();
  for (const name of await readdir(join(dataDir, 'logs'))) {
    expect(await modeOf(join(dataDir, 'logs', name))).toBe(0o600);
  }
});

test('a large file is set aside at the start, and there are three at most', async () => {
  const dataDir = await temporaryFolder();
  for (let start = 0; start < 5; start += 1) {
    const log = createLog({ dataDir, level: 'info', wallNow, largestBytes: 100 });
    log.info('console-open', { start, padding: 'x'.repeat(200) });
    await log.close();
  }
  expect((await readdir(join(dataDir, 'logs'))).toSorted()).toEqual([
    'console.log',
    'console.log.1',
    'console.log.2',
  ]);
  const kept = await Promise.all(
    ['console.log', 'console.log.1', 'console.log.2'].map(
      async (file) => (await lines(dataDir, file))[0]?.['start'],
    ),
  );
  expect(kept).toEqual([4, 3, 2]);
});

test('a file that grows while running is set aside, and no line is lost in between', async () => {
  const dataDir = await temporaryFolder();
  const log = createLog({ dataDir, level: 'info', wallNow, largestBytes: 20_000, files: 100 });
  for (let index = 0; index < 3_000; index += 1) {
    log.info('request', { index });
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await log.close();
  const files = await readdir(join(dataDir, 'logs'));
  expect(files.length).toBeGreaterThan(2);
  const all = (await Promise.all(files.map((file) => lines(dataDir, file)))).flat();
  expect(all.map((line) => Number(line['index'])).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 3_000 }, (_, index) => index),
  );
});

test('what is said after the close is let go', async () => {
  const dataDir = await temporaryFolder();
  const log = createLog({ dataDir, level: 'info', wallNow });
  log.info('console-open');
  await log.close();
  expect(() => log.error('close-failed')).not.toThrow();
  await log.close();
  expect((await lines(dataDir)).map((line) => line['msg'])).toEqual(['console-open']);
});
