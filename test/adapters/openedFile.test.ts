import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFile } from '../../src-main/adapters/durableFiles.ts';
import { hasModes, temporaryFolder } from './support.ts';

it('an opened file comes whole, in pieces that stay as they are', async () => {
  const path = join(await temporaryFolder(), 'a.pmtiles');
  const content = Buffer.from(Uint32Array.from({ length: 700_000 }, (_, index) => index).buffer);
  await writeFile(path, content);
  const file = await openFile(path);
  expect(file.bytes).toBe(2_800_000);
  const pieces: Uint8Array[] = [];
  for await (const piece of file.pieces()) pieces.push(piece);
  await file.close();
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([1_048_576, 1_048_576, 702_848]);
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
});

it('an empty file has no pieces', async () => {
  const path = join(await temporaryFolder(), 'a');
  await writeFile(path, '');
  const file = await openFile(path);
  const first = await file.pieces()[Symbol.asyncIterator]().next();
  await file.close();
  expect([file.bytes, first.done]).toEqual([0, true]);
});

it('what is no file is not opened', async () => {
  const folder = await temporaryFolder();
  await expect(openFile(folder)).rejects.toThrow();
  await expect(openFile(join(folder, 'none'))).rejects.toThrow();
});

it.runIf(hasModes)('a pipe is not waited for', async () => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(openFile(pipe)).rejects.toThrow();
});
