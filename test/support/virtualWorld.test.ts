import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from './clock.ts';
import { createVirtualWorld } from './virtualWorld.ts';

function open() {
  const clock = createVirtualClock();
  const world = createVirtualWorld({ clock, held: () => 0 });
  onTestFinished(() => world.close());
  return { clock, world, begun: clock.elapsed() };
}

it('the clock waits for what the disk owes', async () => {
  const { clock, world, begun } = open();
  let readAt: number | null = null;
  void readFile(import.meta.filename).then(() => (readAt = clock.elapsed() - begun));
  await world.advance(1_000);
  expect(readAt).toBe(0);
});

it('the clock waits for what a thread owes, however long that takes', async () => {
  const { clock, world, begun } = open();
  const answer = "setTimeout(() => require('node:worker_threads').parentPort.postMessage(0), 200)";
  const thread = new Worker(answer, { eval: true });
  let answeredAt: number | null = null;
  void once(thread, 'message').then(() => (answeredAt = clock.elapsed() - begun));
  await world.advance(1_000);
  expect(answeredAt).toBe(0);
});

it('the clock waits for work that yields', async () => {
  const { clock, world, begun } = open();
  let doneAt: number | null = null;
  const work = (left: number): void => {
    if (left === 0) doneAt = clock.elapsed() - begun;
    else setImmediate(() => work(left - 1));
  };
  work(50);
  await world.advance(1_000);
  expect(doneAt).toBe(0);
});
