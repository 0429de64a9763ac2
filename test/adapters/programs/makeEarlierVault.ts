/**
 * Makes the fixture of a vault (test/fixtures/vault-0.1): the real core on the real adapters, with the shipped cost
 * of a password, against a training service. Argument: the folder to make, which must not exist. In it lie
 *
 *   deployment.json   the deployment, at whose address nothing answers later
 *   data              the data folder
 *   expected.json     when it was made, the operator's credentials, and everything that the console told of it
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { startTraining } from '../../support/training/index.ts';
import { paths } from '../../../src-main/training/paths.ts';
import { ask } from '../../support/console.ts';
import { syntheticIncidents } from '../../support/dataset.ts';
import { openNodeConsole } from '../../support/nodeConsole.ts';
import { readContents, slicesOf } from '../../support/vaultContents.ts';

const credentials = { username: 'fixture.operator', password: 'the password of the fixture' };

const [folder = ''] = process.argv.slice(2);
await mkdir(folder);
const dataDir = join(folder, 'data');
await mkdir(dataDir, { mode: 0o700 });

const service = await startTraining({
  clock: createClock(),
  seed: 18,
  dataset: syntheticIncidents(40, 18),
  withoutLocation: 2,
  listen: { infrastructurePort: 47_817, coordinationPort: 47_818 },
  switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
});
service.changeCredentials(credentials);
const deployment = join(folder, 'deployment.json');
const { infrastructureUrl, coordinationUrl } = service;
const text = {
  version: 1,
  id: 'fixture',
  name: 'Fixture',
  infrastructureUrl,
  coordinationUrl,
  timestampUnit: 'seconds',
  missions: { rejectPath: paths.reject, pendingPath: paths.pending },
};
await writeFile(deployment, `${JSON.stringify(text, null, 2)}\n`);

const { console, ports } = await openNodeConsole({ dataDir, deployment, logLevel: 'silent' });
const slices = slicesOf(console);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(20);
}

async function upload(fileName: string, content: Uint8Array, incidentId: string | null): Promise<void> {
  const request = { fileName, bytes: content.byteLength, incidentId };
  const { uploadId } = await ask(console, 'beginUpload', request);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(content);
  }
  const answer = await console.bytes.spool(uploadId, body());
  if (answer !== 'kept') throw new Error(`${fileName} was not taken: ${answer}`);
}

await ask(console, 'signIn', credentials);
await until(
  () => (slices.sync?.completeAsOf ?? null) !== null && (slices.missions?.missions.length ?? 0) > 1,
);

const ids = [...service.incidents().keys()].sort();
const [first = '', second = ''] = ids;
await ask(console, 'beginShift', {});
await ask(console, 'pinIncident', { incidentId: first, pinned: true });
await ask(console, 'pinIncident', { incidentId: second, pinned: true });
await ask(console, 'addNote', { incidentId: first, text: 'The bridge is closed; a boat is on its way.' });
await ask(console, 'addNote', { incidentId: second, text: 'Жители эвакуированы. 住民は避難済み。' });
await ask(console, 'setAlarms', { uploads: false, serviceLostAfterMs: 600_000 });
await ask(console, 'keepLayout', { panel: 'incidents', sortBy: 'severity', sortDirection: 'ascending' });
await ask(console, 'saveView', {
  name: 'North shore',
  camera: { longitude: 10.5, latitude: 59.9, zoom: 8 },
  search: 'bridge',
});

const [approved, rejected] = slices.missions?.missions ?? [];
for (const [mission, decision] of [
  [approved, 'approve'],
  [rejected, 'reject'],
] as const) {
  if (!mission) throw new Error('There is no mission to decide on');
  await ask(console, 'decideMission', { missionId: mission.id, decision, again: false });
}

// One whose outcome is not known, and two that wait: one of them without a byte.
await service.set({ uploadFault: 'answer-lost' });
await upload('answer lost.txt', Buffer.from('what was sent and never answered\n'), first);
await until(() => service.uploads().length === 1);
await ask(console, 'pauseUpload', { id: null, paused: true });
await upload(
  'photo.bin',
  Uint8Array.from({ length: 5_000 }, (_, at) => (at * 31) % 251),
  second,
);
await upload('empty.txt', new Uint8Array(), null);
await until(() => slices.outbox?.counts.sending === 0);
// What gathers before it is written.
await pause(2_000);

const contents = await readContents(console, slices);
await ask(console, 'signOut', {});
await console.close();
await ports.close();
await service.close();
await rm(join(dataDir, 'logs'), { recursive: true, force: true });
const expected = { madeAt: Date.now(), credentials, contents };
await writeFile(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
