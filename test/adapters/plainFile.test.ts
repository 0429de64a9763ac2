import { execFileSync } from 'node:child_process';
import { link, open, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPlain, readCapped, readPlain, readPlainNow } from '../../src-main/adapters/plainFile.ts';
import { hasModes, temporaryFolder } from './support.ts';

const most = 100;

test('a file up to the limit is read whole, one without bytes too, and none is null', async () => {
  const path = join(await temporaryFolder(), 'file');
  expect(await readPlain(path, most)).toBeNull();
  expect(readPlainNow(path, most)).toBeNull();
  for (const length of [0, 1, most]) {
    await writeFile(path, 'x'.repeat(length));
    expect(String(await readPlain(path, most))).toBe('x'.repeat(length));
    expect(String(readPlainNow(path, most))).toBe('x'.repeat(length));
  }
  await writeFile(path, '0123456789');
  expect(String(readPlainNow(path, 3, 8))).toBe('89');
});

test('a larger file is refused at the cost of its size, and not of its bytes', async () => {
  const path = join(await temporaryFolder(), 'sparse');
  await writeFile(path, '');
  await truncate(path, 2 ** 40);
  await expect(readPlain(path, most)).rejects.toMatchObject({ code: 'EFBIG' });
  expect(readPlainNow(path, most)).toHaveLength(most);
});

test('a file that claims fewer bytes than it has is read up to the limit', async () => {
  const path = join(await temporaryFolder(), 'file');
  for (const length of [50, most, most + 1, 10 * most]) {
    await writeFile(path, 'x'.repeat(length));
    const file = await open(path);
    const liar = new Proxy(file, {
      get: (target, name) =>
        name === 'stat' ? () => Promise.resolve({ size: 0 }) : Reflect.get(target, name).bind(target),
    });
    const reading = readCapped(liar, most);
    if (length > most) await expect(reading).rejects.toMatchObject({ code: 'EFBIG' });
    else expect(String(await reading)).toBe('x'.repeat(length));
    await file.close();
  }
});

test.runIf(hasModes)('links, pipes, folders and devices are refused, and no target is read', async () => {
  const folder = await temporaryFolder();
  const at = (name: string): string => join(folder, name);
  await writeFile(at('target'), 'secret');
  await symlink('target', at('link'));
  await symlink('nowhere', at('dangling'));
  await symlink('/dev/zero', at('endless'));
  execFileSync('mkfifo', [at('pipe')]);
  for (const name of ['link', 'dangling', 'endless']) {
    await expect(readPlain(at(name), most), name).rejects.toMatchObject({ code: 'ELOOP' });
    expect(() => readPlainNow(at(name), most), name).toThrow('ELOOP');
  }
  for (const path of [at('pipe'), folder, '/dev/zero']) {
    await expect(readPlain(path, most), path).rejects.toMatchObject({ code: 'ENOTFILE' });
    expect(() => readPlainNow(path, most), path).toThrow('ENOTFILE');
  }
  expect(String(await readPlain(at('link'), most, { follow: true }))).toBe('secret');
  expect(await readPlain(at('dangling'), most, { follow: true })).toBeNull();
  await expect(readPlain(at('endless'), most, { follow: true })).rejects.toMatchObject({ code: 'ENOTFILE' });
});

test.runIf(hasModes)('a file with a second name is not opened to be changed', async () => {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, 'mine');
  const { file } = await openPlain(path, { change: true, single: true });
  await file.write('y', 0);
  await file.close();
  expect(await readFile(path, 'utf8')).toBe('yine');
  await link(path, `${path} again`);
  await expect(openPlain(path, { change: true, single: true })).rejects.toMatchObject({ code: 'ELOOP' });
  expect(String(await readPlain(path, most))).toBe('yine');
});
