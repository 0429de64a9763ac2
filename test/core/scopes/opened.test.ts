import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kioskWithoutPolicy, noPolicy } from '../../../src-main/core/features/policy/policy.ts';
import type { IncidentDetail } from '../../../src-preload/contract/index.ts';
import { pmtilesOf, pngOf } from '../../support/mapFiles.ts';
import { createTestPorts } from '../../support/ports.ts';
import { deploymentFile } from '../features/deployments/deploymentFile.ts';
import { machinePolicy } from '../features/policy/policyRig.ts';
import { openConsole, type OpenConsole } from './appFixtures.ts';

const done = { ok: true, value: null };
const refusedWith = (code: string) => ({ ok: false, failure: { code } });

let folder: string;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opened-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

async function open(change: Parameters<typeof openConsole>[0] = {}): Promise<OpenConsole> {
  const opened = await openConsole(change);
  closers.push(() => opened.close());
  return opened;
}

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const problem = ({ mirror }: OpenConsole): string | undefined => mirror.slices.app?.problem?.code;
const linkTo = (id: string): string => `field-console://deployment/${id}`;

/** Training runs, and a deployment is known beside it. */
async function openWithNorth(): Promise<OpenConsole> {
  const ports = createTestPorts();
  const named = [
    { source: 'command-line' as const, path: await write('n.json', JSON.stringify(deploymentFile())) },
  ];
  const first = await openConsole({ ports, named });
  await first.close();
  return open({ ports, forceTraining: true });
}

describe('a link', () => {
  it('chooses a deployment that is known', async () => {
    const console = await openWithNorth();
    expect(console.mirror.slices.deployments?.chosen).toBe('training');
    expect(await console.console.openLink(linkTo('field-north'))).toEqual(done);
    await console.shows(({ deployments }) => deployments?.chosen === 'field-north', 'the choice');
    expect(problem(console)).toBeUndefined();
  });

  it('adds none: an unknown one is refused, and the page says so until something else is opened', async () => {
    const console = await openWithNorth();
    expect(await console.console.openLink(linkTo('unknown'))).toMatchObject(
      refusedWith('deployment-unknown'),
    );
    await console.shows(({ app }) => app?.problem?.code === 'deployment-unknown', 'the refusal');
    expect(console.mirror.slices.deployments).toMatchObject({ chosen: 'training', proposal: null });
    expect(console.mirror.slices.deployments?.known).toHaveLength(2);
    expect(await console.console.openLink(linkTo('field-north'))).toEqual(done);
    await console.shows(({ app }) => app?.problem === null, 'its end');
  });

  it('shows an incident that is known, and says so where it is not, or no operator is signed in', async () => {
    const console = await open();
    const link = 'field-console://incident/syn-7%2F0002e';
    expect(await console.console.openLink(link)).toMatchObject(refusedWith('signed-out'));
    await console.signIn();
    await console.shows(({ workspace }) => workspace?.restored === 1, 'the workspace to be there');
    expect(await console.console.openLink(link)).toMatchObject(refusedWith('not-found'));
    await console.shows(({ incidents }) => (incidents?.count ?? 0) > 0, 'the incidents');
    const read = await console.call('readIncident', { key: 1 });
    const id = read.ok ? (read.value as IncidentDetail).id : '';
    expect(await console.console.openLink(`field-console://incident/${encodeURIComponent(id)}`)).toEqual(
      done,
    );
    await console.shows(({ workspace }) => workspace?.linked?.incidentId === id, 'the incident');
  });

  it.each([
    '',
    'field-console:',
    'field-console://incident/',
    'field-console://incident/a/b',
    'field-console://incident/%zz',
    'field-console://incident/a?x=1',
    'field-console://deployment',
    'field-console://deployment/',
    'field-console:deployment/field-north',
    'field-console:/deployment/field-north',
    'field-console:///deployment/field-north',
    'field-console://deployment/field-north/',
    'field-console://deployment//field-north',
    'field-console://deployment/field-north?x=1',
    'field-console://deployment/field-north#x',
    'field-console://deployment/field-north\n',
    ' field-console://deployment/field-north',
    'field-console://user@deployment/field-north',
    'field-console://deployment:80/field-north',
    'FIELD-CONSOLE://deployment/field-north',
    'field-console://deployment/%66ield-north',
    'field-console://deployment/../field-north',
    'field-console://deployment/FIELD-NORTH',
    'field-console://add/field-north',
    'https://deployment/field-north',
    `field-console://deployment/${'x'.repeat(65)}`,
  ])('of another form is refused, and not repeated: %j', async (link) => {
    const console = await openWithNorth();
    const result = await console.console.openLink(link);
    expect(result).toMatchObject(refusedWith('malformed-request'));
    expect(JSON.stringify(result)).not.toContain('field-north');
    expect(console.mirror.slices.deployments?.chosen).toBe('training');
  });

  it('takes nobody out of a session, not even one that is beginning', async () => {
    const console = await openWithNorth();
    const signingIn = console.signIn();
    expect(await console.console.openLink(linkTo('field-north'))).toMatchObject(refusedWith('conflict'));
    await signingIn;
    expect(await console.console.openLink(linkTo('field-north'))).toMatchObject(refusedWith('conflict'));
    await console.shows(({ app }) => app?.problem?.code === 'conflict', 'the refusal');
    expect(console.mirror.slices).toMatchObject({
      deployments: { chosen: 'training' },
      session: { vault: 'open' },
    });
    expect(await console.console.openLink(linkTo('training'))).toEqual(done);
    await console.call('signOut', {});
    expect(await console.console.openLink(linkTo('field-north'))).toEqual(done);
  });

  it('does nothing while the console is locked or closed', async () => {
    const console = await openWithNorth();
    await console.signIn();
    await console.call('lock', {});
    expect(await console.console.openLink(linkTo('field-north'))).toMatchObject(refusedWith('locked'));
    await console.console.close();
    expect(await console.console.openLink(linkTo('field-north'))).toMatchObject(refusedWith('cancelled'));
  });

  it('chooses only among the deployments of a policy', async () => {
    const path = await write('a.json', JSON.stringify(deploymentFile({ id: 'a' })));
    const other = await write('b.json', JSON.stringify(deploymentFile({ id: 'b' })));
    const console = await open({ policy: machinePolicy({ deployments: [path, other] }) });
    expect(await console.console.openLink(linkTo('b'))).toEqual(done);
    await console.shows(({ deployments }) => deployments?.chosen === 'b', 'the choice');
    expect(await console.console.openLink(linkTo('training'))).toMatchObject(
      refusedWith('deployment-unknown'),
    );
  });
});

describe('a deployment file that the system opens', () => {
  it.each(['a.json', 'a.JSON', 'a.fieldconsole'])('is put up for confirmation: %s', async (name) => {
    const console = await open();
    const path = await write(name, JSON.stringify(deploymentFile()));
    expect(await console.console.openFile(path)).toEqual(done);
    await console.shows(({ deployments }) => deployments?.proposal !== null, 'the proposal');
    expect(console.mirror.slices.deployments?.known.map(({ id }) => id)).toEqual(['training']);
  });

  it('is refused where a policy says which deployments there are', async () => {
    const path = await write('a.json', JSON.stringify(deploymentFile({ id: 'a' })));
    const console = await open({ policy: machinePolicy({ deployments: [path] }) });
    const other = await write('b.json', JSON.stringify(deploymentFile({ id: 'b' })));
    expect(await console.console.openFile(other)).toMatchObject(refusedWith('policy-forbids'));
    await console.shows(({ app }) => app?.problem?.code === 'policy-forbids', 'the refusal');
    expect(console.mirror.slices.deployments?.proposal).toBeNull();
  });
});

describe('a map package that the system opens', () => {
  const bytes = pmtilesOf({ tileType: 2, tiles: [{ z: 0, x: 0, y: 0, data: pngOf('#336699') }] });

  it.each(['hills.pmtiles', 'hills.PMTILES', 'hills.mbtiles'])('is imported: %s', async (name) => {
    const console = await open();
    expect(await console.console.openFile(await write(name, bytes))).toEqual(done);
    await console.shows(({ maps }) => maps?.packages.length === 1, 'the package');
    const [only] = console.mirror.slices.maps?.packages ?? [];
    expect(await console.console.bytes.tile(only?.id ?? '', 0, 0, 0)).toMatchObject({ kind: 'tile' });
  });

  it('and is none is on the list as refused', async () => {
    const console = await open();
    expect(await console.console.openFile(await write('a.pmtiles', '<html>'))).toEqual(done);
    await console.shows(({ maps }) => maps?.imports[0]?.state === 'refused', 'the refusal');
    expect(console.mirror.slices.maps?.imports[0]?.fileName).toBe('a.pmtiles');
  });

  it('and cannot be read is said', async () => {
    const console = await open();
    const nowhere = join(folder, 'none.mbtiles');
    expect(await console.console.openFile(nowhere)).toMatchObject(refusedWith('map-refused'));
    await mkdir(join(folder, 'folder.pmtiles'));
    expect(await console.console.openFile(join(folder, 'folder.pmtiles'))).toMatchObject(
      refusedWith('map-refused'),
    );
    await console.shows(({ app }) => app?.problem?.code === 'map-refused', 'the refusal');
  });

  it('is refused in a kiosk that takes no files', async () => {
    const path = await write('a.pmtiles', bytes);
    const kiosk = await open({ policy: kioskWithoutPolicy('operator') });
    expect(await kiosk.console.openFile(path)).toMatchObject(refusedWith('policy-forbids'));
    const taking = await open({ policy: machinePolicy({ kiosk: { mode: 'operator', drop: true } }) });
    expect(await taking.console.openFile(path)).toEqual(done);
    const desktop = await open({ policy: { ...noPolicy, drop: false } });
    expect(await desktop.console.openFile(path)).toEqual(done);
  });
});

it('a file of another kind is refused, and not read', async () => {
  const console = await open();
  for (const name of ['a.txt', 'json', 'a.pmtiles.exe']) {
    expect(await console.console.openFile(join(folder, name))).toMatchObject(refusedWith('file-refused'));
  }
});
