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

it('a process outlives the kills of threads that do nothing but compress', async () => {
  const threads = watchThreads();
  for (let kill = 0; kill < 60; kill += 1) {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(compressing)}`), {
      name: 'compressing',
    });
    await new Promise((resolve) => worker.once('message', resolve));
    expect(await threads.kill('compressing')).toBe(true);
  }
  threads.stop();
});
