/**
 * Records what a real console tells a page: `npm run record` writes `recorded.json`, which the page tests and
 * the gallery start from. Console, vault and training service are the real ones; time is virtual and
 * randomness seeded, so the same code records the same file but for what a worker thread finishes in real time.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { decodeIncidentFrame, type Push } from '../../src-preload/contract/index.ts';
import { startTraining, type WireIncident } from '../support/training/index.ts';
import { openConsole, type OpenConsole } from '../core/scopes/appFixtures.ts';
import { stepUntil } from '../support/clock.ts';
import { ask } from '../support/console.ts';
import { syntheticIncidents } from '../support/dataset.ts';
import { createTestPorts } from '../support/ports.ts';
import type { Recorded, RecordedPush } from './recorded.ts';

/** As many as a list that scrolls and a map with clusters need. */
const incidentCount = 120;
/** 20 November 2026, 14:00 UTC: after the newest incident of the recorded week. */
const wall = Date.UTC(2026, 10, 20, 14);

/** What a page that subscribes now receives first: a snapshot. */
async function snapshot({ console, ports: { clock } }: OpenConsole): Promise<Push> {
  const pushes: Push[] = [];
  const subscription = console.subscribe((push) => pushes.push(push));
  await stepUntil(clock, () => pushes.length > 0, { what: 'a snapshot', stepMs: 1 });
  subscription.close();
  const [first] = pushes;
  if (first === undefined) throw new Error('A snapshot was sent');
  return first;
}

/** Ports and the training password differ from run to run, and belong to no recording. */
const recorded = ({ slices, incidents }: Push): RecordedPush => ({
  slices: JSON.parse(
    JSON.stringify(slices)
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8443')
      .replaceAll(slices.training?.credentials.password ?? '\0', 'made-up-password'),
  ) as RecordedPush['slices'],
  incidents: incidents === null ? null : Buffer.from(incidents).toString('base64'),
});

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const page = { from: 0, count: 200 };
const ports = createTestPorts({ wall });
const dataset: WireIncident[] = syntheticIncidents(incidentCount, 7);
dataset.push(
  { ...dataset[0]!, id: 'syn-7-nowhere-1', severity: 'critical', status: 'open', location: null },
  { ...dataset[1]!, id: 'syn-7-nowhere-2', severity: 'catastrophic', status: 'open', location: null },
);
const open = await openConsole({
  ports,
  version: '0.1.0',
  startTraining: () =>
    startTraining({
      clock: ports.clock,
      random: ports.random,
      seed: 7,
      dataset,
      switches: { arrivals: false, integrationScript: false },
    }),
});

const signedOut = await snapshot(open);
const credentials = signedOut.slices.training?.credentials;
if (credentials === undefined) throw new Error('The training deployment shows its credentials');
await ask(open.console, 'signIn', credentials);
await open.shows(({ incidents }) => incidents?.completeness === 'complete', 'complete incidents');
await open.shows(({ missions }) => missions?.missions.length === 3, 'the pending missions');
await open.shows(({ evidence }) => evidence?.complete === true, 'the evidence list');
await open.shows(({ events }) => events?.state === 'open', 'the event stream');
// The states of the page are about all incidents, the newest first; what a console begins with is one of them.
await ask(open.console, 'setIncidentQuery', {
  range: 'all',
  severities: [],
  statuses: [],
  types: [],
  openOnly: false,
  limit: null,
});
await ask(open.console, 'keepLayout', { sortBy: 'created' });
const asItCame = await snapshot(open);

const columns = decodeIncidentFrame(asItCame.incidents ?? new Uint8Array()).columns;
const readDetails = () =>
  Promise.all(Array.from(columns.key, (key) => ask(open.console, 'readIncident', { key })));
const [first, second] = await readDetails();
const mission = open.mirror.slices.missions?.missions[0];
if (!first || !second || !mission) throw new Error('Too little was read');
await ask(open.console, 'setStation', { position: { longitude: 16.37, latitude: 48.21 } });
await ask(open.console, 'pinIncident', { incidentId: first.id, pinned: true });
await ask(open.console, 'pinIncident', { incidentId: second.id, pinned: true });
await ask(open.console, 'addNote', { incidentId: first.id, text: 'The bridge is closed since noon.' });
const { uploadId } = await ask(open.console, 'beginUpload', {
  fileName: 'levee.jpg',
  bytes: 40_000,
  incidentId: first.id,
});
await open.console.bytes.spool(uploadId, inOnePiece(Buffer.alloc(40_000, 7)));
await open.shows(({ outbox }) => outbox?.counts.sent === 1 && outbox.moving.length === 0, 'a sent file');
await ask(open.console, 'decideMission', { missionId: mission.id, decision: 'approve', again: false });
await ask(open.console, 'saveView', { name: 'Harbour and pier', camera: null, search: '' });
await open.shows(({ events }) => events?.received === 3, 'the events of file and mission');
await open.shows(({ workspace }) => workspace?.views.length === 1, 'a saved view');
await open.shows(({ watch }) => watch?.notes === 1 && watch.pins.length === 2, 'note and pins');

const facts = {
  userAgent: 'Chromium',
  webgl: 'SwiftShader',
  language: 'en',
  pixelRatio: 1,
  size: '1440x900',
};
const workspace = await snapshot(open);
const file: Recorded = {
  signedOut: recorded(signedOut),
  workspace: recorded(workspace),
  // As late as the rows: a file that was sent counts in both.
  details: Object.fromEntries((await readDetails()).map((detail) => [detail.key, detail])),
  nearby: await ask(open.console, 'readNearby', { keys: [...columns.key].slice(0, 200), language: 'en' }),
  evidence: await ask(open.console, 'readEvidence', { incidentId: null, ...page }),
  uploads: await ask(open.console, 'readUploads', page),
  audit: await ask(open.console, 'readAudit', page),
  notes: await ask(open.console, 'readNotes', { incidentId: null, ...page }),
  shift: await ask(open.console, 'readShift', page),
  diagnostics: await ask(open.console, 'readDiagnostics', { page: facts }),
  selfTest: await ask(open.console, 'runSelfTest', { page: facts }),
};
await writeFile(join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(file, null, 1)}\n`);
// Closing waits for virtual time that runs no more.
process.exit(0);
