import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHandoverFiles } from '../../src-main/adapters/handoverFiles.ts';
import { noDeviceSecret, type DeviceSecretReading } from '../../src-main/core/base/ports.ts';

const deployment = 'a'.repeat(32);
const other = 'b'.repeat(32);
const canary = 'canary-summary-81f2';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'field-console-handovers-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const filesOn = (reading: DeviceSecretReading = { kind: 'none' }, data = 'data', state = 'state') =>
  createHandoverFiles({
    dataDir: join(root, data),
    secretDir: join(root, state, 'anchors'),
    deviceSecret: { ...noDeviceSecret, read: () => Promise.resolve(reading) },
  });
const keyStore = (byte: number): DeviceSecretReading => ({
  kind: 'secret',
  secret: new Uint8Array(32).fill(byte),
});
const pathOf = (name: string): string => join(root, 'data', 'handovers', name);

it('reads what it wrote, and nothing before', async () => {
  expect(await filesOn().read(deployment)).toEqual({ kind: 'none' });
  expect(await filesOn().write(deployment, canary)).toBe('written');
  expect(await filesOn().read(deployment)).toEqual({ kind: 'text', text: canary });
  expect(await filesOn().read(other)).toEqual({ kind: 'none' });
});

it('lets nothing be read in the data folder, nor by another user of the computer', async () => {
  await filesOn().write(deployment, canary);
  const bytes = await readFile(pathOf(deployment));
  expect(bytes.includes(canary)).toBe(false);
  expect(await readdir(join(root, 'data'), { recursive: true })).toEqual([
    'handovers',
    `handovers/${deployment}`,
  ]);
  const secret = join(root, 'state', 'anchors', 'handover.secret');
  expect((await readFile(secret)).byteLength).toBe(32);
  if (process.platform === 'win32') return;
  for (const path of [pathOf(deployment), secret]) expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('finds damage: a changed byte, a cut file, one that is too large, another name, another computer', async () => {
  await filesOn().write(deployment, canary);
  const whole = await readFile(pathOf(deployment));
  for (const at of [0, 1, 20, whole.byteLength - 1]) {
    const changed = Uint8Array.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 4;
    await writeFile(pathOf(deployment), changed);
    expect(await filesOn().read(deployment), String(at)).toEqual({ kind: 'damaged' });
  }
  for (const length of [0, 1, 12, whole.byteLength - 1]) {
    await writeFile(pathOf(deployment), whole.subarray(0, length));
    expect(await filesOn().read(deployment), String(length)).toEqual({ kind: 'damaged' });
  }
  await writeFile(pathOf(other), whole);
  expect(await filesOn().read(other)).toEqual({ kind: 'damaged' });
  await writeFile(pathOf(deployment), whole);
  expect(await filesOn({ kind: 'none' }, 'data', 'elsewhere').read(deployment)).toEqual({ kind: 'damaged' });
  await truncate(pathOf(deployment), 17 * 1024 * 1024);
  expect(await filesOn().read(deployment)).toEqual({ kind: 'damaged' });
});

it('moves what is damaged away under a dated name', async () => {
  await filesOn().write(deployment, canary);
  await filesOn().setAside(deployment, Date.UTC(2026, 10, 20, 14));
  expect(await readdir(join(root, 'data', 'handovers'))).toEqual([
    `${deployment}-unreadable-2026-11-20T14-00-00-000Z`,
  ]);
  expect(await filesOn().read(deployment)).toEqual({ kind: 'none' });
});

it('needs the secret of the key store where there is one', async () => {
  expect(await filesOn(keyStore(1)).write(deployment, canary)).toBe('written');
  expect(await filesOn(keyStore(1)).read(deployment)).toEqual({ kind: 'text', text: canary });
  expect(await filesOn(keyStore(2)).read(deployment)).toEqual({ kind: 'damaged' });
  for (const kind of ['none', 'waiting', 'closed'] as const)
    expect(await filesOn({ kind }).read(deployment), kind).toEqual({ kind: 'shut' });
});

it('writes and reads nothing while the key store may still open', async () => {
  await filesOn().write(deployment, canary);
  for (const kind of ['waiting', 'closed'] as const) {
    expect(await filesOn({ kind }).write(deployment, 'new'), kind).toBe('shut');
    expect(await filesOn({ kind }).read(deployment), kind).toEqual({ kind: 'shut' });
  }
});

it('makes another secret where a cut writing left half of one', async () => {
  await filesOn().write(deployment, canary);
  await writeFile(join(root, 'state', 'anchors', 'handover.secret'), 'half');
  expect(await filesOn().read(deployment)).toEqual({ kind: 'damaged' });
  await filesOn().write(deployment, 'new');
  expect(await filesOn().read(deployment)).toEqual({ kind: 'text', text: 'new' });
});

it('opens nothing without its secret, also what was sealed with zeros', async () => {
  const secret = join(root, 'state', 'anchors', 'handover.secret');
  await filesOn().write('another', canary);
  await writeFile(secret, new Uint8Array(32));
  await filesOn().write(deployment, 'forged');
  await rm(secret);
  expect(await filesOn().read(deployment)).toEqual({ kind: 'damaged' });
});

it('opens nothing without the secret of the key store where there is one', async () => {
  await filesOn().write(deployment, 'forged');
  expect(await filesOn(keyStore(1)).read(deployment)).toEqual({ kind: 'damaged' });
});

it('rejects as the storage does where the folder cannot be used', async () => {
  await writeFile(join(root, 'data'), 'a file');
  await expect(filesOn().write(deployment, canary)).rejects.toMatchObject({ reason: 'blocked' });
  await expect(filesOn().read(deployment)).rejects.toMatchObject({ reason: 'blocked' });
});
