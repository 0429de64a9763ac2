import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { watchThreads } from './threads.ts';

const compressing = `
  import { parentPort } from 'node:worker_threads';
  import * as zlib from 'node:zlib';
  const bytes = Buffer.alloc(200);
  parentPort.postMessage('begun');
  for (;;) zlib.zstdCompressSync(bytes);
`;

const compressor = async (): Promise<void> => {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(compressing)}`), {
    name: 'compressing',
  });
  await new Promise((resolve) => worker.once('message', resolve));
};

it('a process outlives the kills of threads that do nothing but compress', async () => {
  const threads = watchThreads();
  for (let kill = 0; kill < 60; kill += 1) {
    await compressor();
    expect(await threads.kill('compressing')).toBe(true);
  }
  threads.stop();
});

it('threads can be killed while others are', async () => {
  const threads = watchThreads();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([compressor(), compressor()]);
    const kills = [threads.kill('compressing', 'oldest'), threads.kill('compressing', 'youngest')];
    expect(await Promise.all(kills)).toEqual([true, true]);
  }
  threads.stop();
});
