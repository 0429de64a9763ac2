/**
 * Records what a real console tells a page, as JSON on standard output: recorded.ts runs it. Console, vault and
 * training service are the real ones. Time is virtual and passes only when no request and no thread owes an answer,
 * randomness is seeded and the machine is a made-up one, so the same code makes the same recording.
 */
import process from 'node:process';
import {
  decodeIncidentFrame,
  type ConsoleState,
  type Push,
  type VerbName,
  type VerbReply,
  type VerbRequest,
} from '../../src-preload/contract/index.ts';
import { startTraining, type TrainingServer, type WireIncident } from '../support/training/index.ts';
import { openConsole } from '../core/scopes/appFixtures.ts';
import { Busy } from '../freeze/busy.ts';
import { ask as asked } from '../support/console.ts';
import { syntheticIncidents } from '../support/dataset.ts';
import { createSeededRandom, createTestPorts } from '../support/ports.ts';
import { createVirtualWorld } from '../support/virtualWorld.ts';
import type { Recorded, RecordedPush } from './recorded.ts';

/** As many as a list that scrolls and a map with clusters need. */
const incidentCount = 120;
/** 20 November 2026, 14:00 UTC: after the newest incident of the recorded week. */
const wall = Date.UTC(2026, 10, 20, 14);
/** How far the clock goes for what a page is to be shown, milliseconds. */
const mostWait = 60_000;

const seeded = createTestPorts({ wall });
const gigabyte = 1e9;
const machine = {
  versions: { node: '24.21.0', v8: '13.6.233.17', openssl: '3.5.8', sqlite: '3.53.4' },
  system: 'Linux 6.18.44',
  architecture: 'x64',
  processors: 2,
  memoryTotal: 16 * gigabyte,
  memoryFree: 5.5 * gigabyte,
  memoryUsed: 0.3 * gigabyte,
  computerUptimeMs: 8_000_000,
  consoleUptimeMs: 9_000,
  timeZone: 'UTC',
  locale: 'en-GB',
};
const parts = { vaults: 214_000, maps: 0, logs: 12_000, temporary: 0, other: 900 };
const busy = new Busy();
const ports = busy.overAll(
  {
    ...seeded,
    diagnostics: {
      ...seeded.diagnostics,
      runtime: () => machine,
      folder: () => Promise.resolve({ free: 82 * gigabyte, parts }),
    },
  },
  ['vaults', 'records', 'handovers', 'readTextFile', 'openFile', 'diagnostics'],
);
const services: TrainingServer[] = [];
const world = createVirtualWorld({
  clock: ports.clock,
  // A stream of events is a request without an end.
  held: () => services.reduce((sum, { held, eventStreams }) => sum + held + eventStreams, 0),
});

const dataset: WireIncident[] = syntheticIncidents(incidentCount, 7);
dataset.push(
  { ...dataset[0]!, id: 'syn-7-nowhere-1', severity: 'critical', status: 'open', location: null },
  { ...dataset[1]!, id: 'syn-7-nowhere-2', severity: 'catastrophic', status: 'open', location: null },
);
const { console, mirror } = await openConsole({
  ports,
  version: '0.1.0',
  startTraining: async () => {
    const service = await startTraining({
      clock: ports.clock,
      random: createSeededRandom(2),
      seed: 7,
      dataset,
      switches: { arrivals: false, integrationScript: false },
    });
    services.push(service);
    return service;
  },
});

/** Lets time pass until the page's mirror is so. */
async function shows(is: (slices: Partial<ConsoleState>) => boolean, what: string): Promise<void> {
  const end = ports.clock.elapsed() + mostWait;
  do await busy.settle(() => world.settle());
  while (!is(mirror.slices) && ports.clock.runNext(end));
  if (!is(mirror.slices)) throw new Error(`The console does not show ${what}`);
}

/** What comes of work, for which time passes. */
async function done<T>(work: Promise<T>, what: string): Promise<T> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  work.then(settle, settle);
  await shows(() => settled, what);
  return work;
}

const ask = <V extends VerbName>(verb: V, request: VerbRequest<V>): Promise<VerbReply<V>> =>
  done(asked(console, verb, request), verb);

/** What a page that subscribes now receives first. */
async function snapshot(): Promise<Push> {
  const pushes: Push[] = [];
  const subscription = console.subscribe((push) => pushes.push(push));
  await shows(() => pushes.length > 0, 'a snapshot');
  subscription.close();
  return pushes[0]!;
}

const recorded = ({ slices, incidents }: Push): RecordedPush => ({
  slices,
  incidents: incidents === null ? null : Buffer.from(incidents).toString('base64'),
});

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const page = { from: 0, count: 200 };
const signedOut = await snapshot();
const credentials = signedOut.slices.training?.credentials;
if (credentials === undefined) throw new Error('The training deployment shows its credentials');
await ask('signIn', credentials);
await shows(({ incidents }) => incidents?.completeness === 'complete', 'complete incidents');
await shows(({ missions }) => missions?.missions.length === 3, 'the pending missions');
await shows(({ evidence }) => evidence?.complete === true, 'the evidence list');
await shows(({ events }) => events?.state === 'open', 'the event stream');
// The states of the page are about all incidents, the newest first; what a console begins with is one of them.
await ask('setIncidentQuery', {
  range: 'all',
  severities: [],
  statuses: [],
  types: [],
  openOnly: false,
});
await ask('keepLayout', { sortBy: 'created' });
const asItCame = await snapshot();

const columns = decodeIncidentFrame(asItCame.incidents ?? new Uint8Array()).columns;
const readDetails = () =>
  done(Promise.all(Array.from(columns.key, (key) => asked(console, 'readIncident', { key }))), 'details');
const [first, second] = await readDetails();
const mission = mirror.slices.missions?.missions[0];
if (!first || !second || !mission) throw new Error('Too little was read');
await ask('setStation', { position: { longitude: 16.37, latitude: 48.21 } });
await ask('pinIncident', { incidentId: first.id, pinned: true });
await ask('pinIncident', { incidentId: second.id, pinned: true });
await ask('addNote', { incidentId: first.id, text: 'The bridge is closed since noon.' });
const { uploadId } = await ask('beginUpload', {
  fileName: 'levee.jpg',
  bytes: 40_000,
  incidentId: first.id,
});
await done(console.bytes.spool(uploadId, inOnePiece(Buffer.alloc(40_000, 7))), 'the copy of a file');
await shows(({ outbox }) => outbox?.counts.sent === 1 && outbox.moving.length === 0, 'a sent file');
await ask('decideMission', { missionId: mission.id, decision: 'approve', again: false });
await ask('saveView', { name: 'Harbour and pier', camera: null, search: '' });
await shows(({ events }) => events?.received === 3, 'the events of file and mission');
await shows(({ workspace }) => workspace?.views.length === 1, 'a saved view');
await shows(({ watch }) => watch?.notes === 1 && watch.pins.length === 2, 'note and pins');

const facts = {
  userAgent: 'Chromium',
  webgl: 'SwiftShader',
  language: 'en',
  pixelRatio: 1,
  size: '1440x900',
};
const workspace = await snapshot();
const diagnostics = await ask('readDiagnostics', { page: facts });
const file: Recorded = {
  signedOut: recorded(signedOut),
  workspace: recorded(workspace),
  // As late as the rows: a file that was sent counts in both.
  details: Object.fromEntries((await readDetails()).map((detail) => [detail.key, detail])),
  nearby: await ask('readNearby', { keys: [...columns.key].slice(0, 200), language: 'en' }),
  evidence: await ask('readEvidence', { incidentId: null, ...page }),
  uploads: await ask('readUploads', page),
  audit: await ask('readAudit', page),
  notes: await ask('readNotes', { incidentId: null, ...page }),
  shift: await ask('readShift', page),
  // Of requests on two connections at one time either may be answered first.
  diagnostics: {
    ...diagnostics,
    requests: diagnostics.requests.toSorted((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1)),
  },
  selfTest: await ask('runSelfTest', { page: facts }),
};
const requestIds = new Map<string, string>();
/** Ports, ids in the order of answers and the training password belong to no recording. */
const text = JSON.stringify(file)
  .replaceAll(/\btrn-[0-9a-f]{18}\b/g, (id) => {
    const name = requestIds.get(id) ?? `trn-${String(requestIds.size + 1).padStart(18, '0')}`;
    requestIds.set(id, name);
    return name;
  })
  // Bytes of requests, which name a port.
  .replaceAll(
    /"hour":\{[^}]*\},"day":\{[^}]*\}/g,
    '"hour":{"sent":9000,"received":80000},"day":{"sent":9000,"received":80000}',
  )
  .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8443')
  .replaceAll(credentials.password, 'made-up-password');
// Closing waits for virtual time that runs no more.
process.stdout.write(text, () => process.exit(0));
