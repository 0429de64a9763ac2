import { unzipSync } from 'fflate';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiagnosticTools } from '../../../src-main/adapters/diagnostics/tools.ts';
import { createLog } from '../../../src-main/adapters/log.ts';
import type { DiagnosticTools } from '../../../src-main/core/features/diagnostics/tools.ts';
import { keysOf, newDataKeys } from '../../../src-main/core/vault/seal.ts';

let dataDir: string;
let tools: DiagnosticTools;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'field-console-diagnostics-'));
  tools = createDiagnosticTools({ dataDir });
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const keys = () =>
  keysOf(
    newDataKeys((length) => new Uint8Array(length).fill(7)),
    'identity',
  );

describe('probes', () => {
  it('write, read and remove: nothing is left of them', async () => {
    await tools.writeProbe();
    await tools.threadProbe();
    expect(await tools.databaseProbe(keys(), 1)).toBe('log');
    const left = await readdir(dataDir, { recursive: true });
    expect(left.filter((name) => name !== 'temporary')).toEqual([]);
  });

  it('reject where the folder is none', async () => {
    const elsewhere = createDiagnosticTools({ dataDir: join(dataDir, 'missing') });
    await expect(elsewhere.writeProbe()).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(join(dataDir, 'file'), '');
    const file = createDiagnosticTools({ dataDir: join(dataDir, 'file') });
    await expect(file.databaseProbe(keys(), 1)).rejects.toThrow();
    await expect(file.folder()).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});

it('sizes are counted by what they are for', async () => {
  await mkdir(join(dataDir, 'vaults', 'a'), { recursive: true });
  await writeFile(join(dataDir, 'vaults', 'a', 'cache'), 'x'.repeat(30));
  await writeFile(join(dataDir, 'vaults', 'b'), 'x'.repeat(5));
  await writeFile(join(dataDir, 'preferences.json'), 'x'.repeat(11));
  const { free, parts } = await tools.folder();
  expect(parts).toEqual({ vaults: 35, maps: 0, logs: 0, temporary: 0, other: 11 });
  expect(free).toBeGreaterThan(0);
});

it('the runtime is this one', () => {
  const { versions, architecture, memoryTotal } = tools.runtime();
  expect(versions['node']).toBe(process.versions.node);
  expect(architecture).toBe(process.arch);
  expect(memoryTotal).toBeGreaterThan(0);
});

describe('the end of the log', () => {
  it('comes from the file and the one before it, masked once more', async () => {
    const log = createLog({ dataDir, level: 'info', wallNow: () => 0 });
    log.info('session', { from: 'none' });
    await log.close();
    const old = '{"level":"info","time":"x","msg":"old","note":"Bearer abc.def","token":"t"}\n';
    await writeFile(join(dataDir, 'logs', 'console.log.1'), old);
    const { lines, unreadable } = await tools.logTail(100_000);
    expect(lines.map(({ msg }) => msg)).toEqual(['old', 'session']);
    expect(lines[0]).toMatchObject({ note: 'Bearer [redacted]', token: '[redacted]' });
    expect(unreadable).toBe(0);
  });

  it('begins with a whole line and counts what is none', async () => {
    await mkdir(join(dataDir, 'logs'));
    const line = (n: number): string => `{"msg":"line-${String(n)}"}\n`;
    const text = Array.from({ length: 100 }, (_, n) => line(n)).join('');
    await writeFile(join(dataDir, 'logs', 'console.log'), `${text}{"nested":{"a":1}}\n[1]\n"text"\nhalf {\n`);
    const { lines, unreadable } = await tools.logTail(200);
    expect(unreadable).toBe(4);
    expect(lines.at(-1)).toEqual({ msg: 'line-99' });
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThan(12);
  });

  it('is empty where there is no log', async () => {
    expect(await tools.logTail(1_000)).toEqual({ lines: [], unreadable: 0 });
  });
});

describe('the zip', () => {
  it('gives back what went in, empty and large files too', async () => {
    const large = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7919) % 251);
    const files = [
      { name: 'a.txt', bytes: new TextEncoder().encode('ä text') },
      { name: 'empty', bytes: new Uint8Array() },
      { name: 'large.bin', bytes: large },
    ];
    const back = unzipSync(await tools.zip(files, Date.UTC(2026, 10, 20)));
    expect(Object.keys(back)).toEqual(['a.txt', 'empty', 'large.bin']);
    for (const { name, bytes } of files)
      expect(Buffer.compare(back[name] ?? Buffer.from('x'), bytes)).toBe(0);
  });

  it('lets the loop turn while it works, and takes a clock that stands at its beginning', async () => {
    let yielding = 0;
    const count = (): void => {
      yielding += 1;
      running = setImmediate(count);
    };
    let running = setImmediate(count);
    await tools.zip([{ name: 'log', bytes: new Uint8Array(2_000_000) }], 0);
    clearImmediate(running);
    expect(yielding).toBeGreaterThan(10);
  });
});
