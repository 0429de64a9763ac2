/** A training service in a process of its own, so that what it costs is not measured as the console's. */
import process from 'node:process';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { startTraining, type TrainingServer } from '../../support/training/index.ts';
import { syntheticIncidents } from '../../support/dataset.ts';

export interface ServiceReady {
  readonly infrastructureUrl: string;
  readonly coordinationUrl: string;
  readonly credentials: TrainingServer['credentials'];
}

const size = Number(process.argv[2]);
const pageLimit = 200;
const service = await startTraining({
  clock: createClock(),
  seed: 7,
  dataset: syntheticIncidents(size),
  switches: { arrivals: false, integrationScript: false, pageLimit },
});
const { infrastructureUrl, coordinationUrl, credentials } = service;
process.send?.({ infrastructureUrl, coordinationUrl, credentials } satisfies ServiceReady);

let changes = 0;
/** Windows of at most a page, in whole seconds as far as the data allows it. */
function idealWindows(): readonly (readonly [number, number])[] {
  const seconds = [...service.incidents().values()]
    .map(({ created_at }) => Math.floor(Date.parse(created_at) / 1000))
    .sort((a, b) => a - b);
  const windows: (readonly [number, number])[] = [];
  for (let at = 0; at < seconds.length; at += pageLimit) {
    const end = Math.min(at + pageLimit, seconds.length) - 1;
    windows.push([seconds[at] ?? 0, (seconds[end] ?? 0) + 1]);
  }
  return windows;
}

/**
 * Says how often incidents were asked for, or which windows hold a page each, or changes the newest
 * so many.
 */
process.on('message', (message: 'requests' | 'windows' | number) => {
  if (message === 'windows') {
    process.send?.(idealWindows());
    return;
  }
  if (message === 'requests') {
    process.send?.(service.counts.requests['GET /incidents'] ?? 0);
    return;
  }
  changes += 1;
  const newest = [...service.incidents().values()]
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
    .slice(0, message);
  for (const { id } of newest) service.changeIncident(id, { evidence_count: 1000 + changes });
  process.send?.(newest.length);
});
process.on('disconnect', () => void service.close().then(() => process.exit()));
