/*
 * A training service in a process of its own, so that its memory can be told from its client's. Says
 * where it is, then answers every message with what it has taken and the most memory it ever had.
 */
import process from 'node:process';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { startTraining } from '../../support/training/index.ts';

const server = await startTraining({ clock: createClock(), seed: 1, switches: { arrivals: false } });
process.on('message', () => {
  const { maxRSS } = process.resourceUsage();
  process.send?.({ uploads: server.uploads(), mostMegabytes: maxRSS / 1024 });
});
process.on('disconnect', () => void server.close());
process.send?.({ url: server.coordinationUrl, token: server.uploadToken });
