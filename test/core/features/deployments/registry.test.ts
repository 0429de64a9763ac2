import { describe, expect, it } from 'vitest';
import {
  DeploymentRegistry,
  type AllowedDeployments,
  type NamedDeployment,
} from '../../../../src-main/core/features/deployments/registry.ts';
import { noPolicy } from '../../../../src-main/core/features/policy/policy.ts';
import { createTestPorts, type TestPorts } from '../../../support/ports.ts';
import { deploymentFile } from './deploymentFile.ts';
import { said, saying } from '../../../support/messages.ts';

const named = (path: string, source: NamedDeployment['source'] = 'command-line'): NamedDeployment => ({
  path,
  source,
});

async function open(
  ports: TestPorts,
  files: Record<string, string> = {},
  names: NamedDeployment[] = [],
  allowed: AllowedDeployments = noPolicy.deployments,
): Promise<DeploymentRegistry> {
  const registry = new DeploymentRegistry({
    ...ports,
    readTextFile: (path) =>
      path in files ? Promise.resolve(files[path] ?? '') : Promise.reject(new Error('ENOENT')),
    named: names,
    allowed,
    now: () => ports.clock.wallNow(),
  });
  await registry.load();
  return registry;
}

const text = (change: Record<string, unknown> = {}): string => JSON.stringify(deploymentFile(change));

async function addByHand(registry: DeploymentRegistry, change: Record<string, unknown> = {}): Promise<void> {
  const proposed = registry.propose(text(change));
  if (!proposed.ok) throw new Error(said(proposed.failure.sentence));
  expect((await registry.confirm(proposed.value.proposalId)).ok).toBe(true);
}

describe('the deployment registry', () => {
  it('remembers what was confirmed, chosen and named', async () => {
    const ports = createTestPorts();
    const first = await open(ports);
    await addByHand(first);
    await addByHand(first, { id: 'south', infrastructureUrl: 'https://south.example' });
    await first.choose('south');
    const again = await open(ports, { '/d.json': text({ id: 'third' }) }, []);
    expect(again.chosen).toBe('south');
    expect(again.summaries().map((one) => [one.id, one.source])).toEqual([
      ['field-north', 'added'],
      ['south', 'added'],
    ]);
    const withName = await open(ports, { '/d.json': text({ id: 'third' }) }, [
      named('/d.json', 'environment'),
    ]);
    expect(withName.chosen).toBe('third');
    expect((await open(ports)).summaries()).toHaveLength(3);
    expect((await open(ports)).chosen).toBe('south');
  });

  it('shows both hosts of a proposal and keeps it out until it is confirmed', async () => {
    const registry = await open(createTestPorts());
    const proposed = registry.propose(text());
    expect(proposed).toMatchObject({
      ok: true,
      value: {
        summary: { infrastructureHost: 'infra.example', coordinationHost: 'coord.example' },
        replacesSameOrigin: false,
      },
    });
    expect(registry.isEmpty).toBe(true);
    expect((await registry.confirm('other')).ok).toBe(false);
    expect(proposed.ok && registry.dismiss(proposed.value.proposalId).ok).toBe(true);
    expect(registry.proposal).toBeNull();
  });

  it('refuses a known id at another origin until the old one is removed', async () => {
    const registry = await open(createTestPorts());
    await addByHand(registry);
    const other = text({ infrastructureUrl: 'https://evil.example' });
    expect(registry.propose(other)).toMatchObject({ ok: false, failure: { code: 'deployment-conflict' } });
    expect(registry.propose(text({ infrastructureUrl: 'https://infra.example/v2' }))).toMatchObject({
      ok: true,
      value: { replacesSameOrigin: true },
    });
    await registry.remove('field-north');
    expect(registry.propose(other).ok).toBe(true);
  });

  it('refuses a named one in conflict, chooses nothing in its place, and takes it up after the removal', async () => {
    const ports = createTestPorts();
    await addByHand(await open(ports));
    const files = { '/d.json': text({ infrastructureUrl: 'https://new.example' }) };
    const registry = await open(ports, files, [named('/d.json')]);
    expect(registry.problem?.code).toBe('deployment-conflict');
    expect(registry.chosen).toBeNull();
    await registry.remove('field-north');
    expect(await registry.loadNamed()).toBe('field-north');
    expect(registry.problem).toBeNull();
    expect(registry.find('field-north')?.infrastructureUrl).toBe('https://new.example');
  });

  it.each([
    [{}, 'deployment-unreadable'],
    [{ '/d.json': '{' }, 'deployment-invalid'],
    [{ '/d.json': text({ version: 2 }) }, 'deployment-invalid'],
  ])('says what is wrong with a named file (%#)', async (files, code) => {
    const registry = await open(createTestPorts(), files, [named('/d.json')]);
    expect(registry.problem?.code).toBe(code);
    expect(registry.chosen).toBeNull();
  });

  it('lets the command line lead over the environment', async () => {
    const files = {
      '/a.json': text({ name: 'A' }),
      '/b.json': text({ name: 'B' }),
      '/c.json': text({ id: 'c' }),
    };
    const registry = await open(createTestPorts(), files, [
      named('/a.json'),
      named('/b.json', 'environment'),
    ]);
    expect(registry.find('field-north')?.name).toBe('A');
    const both = await open(createTestPorts(), files, [named('/c.json'), named('/b.json', 'environment')]);
    expect(both.chosen).toBe('c');
    expect(both.summaries()).toHaveLength(2);
  });

  it.each(['{', '[]', '{"version":9,"deployments":[]}', '<html>'])(
    'sets an unreadable list aside: %s',
    async (bad) => {
      const ports = createTestPorts();
      ports.documents.texts.set('deployments.json', bad);
      const registry = await open(ports);
      expect(registry.problem?.code).toBe('storage-failed');
      const aside = [...ports.documents.texts].filter(([name]) => name.startsWith('deployments-unreadable-'));
      expect(aside.map(([, content]) => content)).toEqual([bad]);
    },
  );

  it('keeps the readable entries of a list with a bad one', async () => {
    const ports = createTestPorts();
    const deployments = [
      { source: 'added', file: deploymentFile() },
      { source: 'added', file: { id: 'x' } },
    ];
    ports.documents.texts.set(
      'deployments.json',
      JSON.stringify({ version: 1, chosen: 'field-north', deployments }),
    );
    const registry = await open(ports);
    expect(registry.chosen).toBe('field-north');
    expect(said(registry.problem?.sentence)).toMatch(/^Can’t read 1 of the known deployments/);
  });

  it('writes nothing over a list that exists and cannot be read', async () => {
    const ports = createTestPorts();
    let written = 0;
    const documents = {
      read: () => Promise.reject(new Error('EACCES')),
      write: () => {
        written += 1;
        return Promise.resolve();
      },
      remove: () => Promise.resolve(),
    };
    const registry = new DeploymentRegistry({
      ...ports,
      documents,
      named: [],
      allowed: noPolicy.deployments,
      now: () => 0,
    });
    await registry.load();
    const proposed = registry.propose(text());
    expect(proposed.ok && (await registry.confirm(proposed.value.proposalId))).toMatchObject({
      ok: false,
      failure: { code: 'storage-failed' },
    });
    expect(registry.isEmpty).toBe(true);
    expect(written).toBe(0);
  });
});

const listed = (...files: string[]): AllowedDeployments => ({ kind: 'listed', files, training: false });

async function refusesChanges(registry: DeploymentRegistry, id: string): Promise<void> {
  const forbidden = { ok: false, failure: { code: 'policy-forbids' } };
  expect(registry.propose(text({ id: 'new' }))).toMatchObject(forbidden);
  expect(await registry.confirm('any')).toMatchObject(forbidden);
  expect(await registry.remove(id)).toMatchObject(forbidden);
  expect(registry.find(id)).not.toBeNull();
}

describe('deployments that a policy lists', () => {
  const files = {
    '/etc/a.json': text({ id: 'a', caFile: 'ca.pem' }),
    '/etc/b.json': text({ id: 'b' }),
    '/home/c.json': text({ id: 'c' }),
  };

  it('are all there are, the first of them chosen, whatever was known before', async () => {
    const ports = createTestPorts();
    await addByHand(await open(ports));
    const registry = await open(ports, files, [], listed('/etc/a.json', '/etc/b.json'));
    expect(registry.summaries().map((one) => [one.id, one.source])).toEqual([
      ['a', 'policy'],
      ['b', 'policy'],
    ]);
    expect(registry.chosen).toBe('a');
    expect(registry.find('a')?.caFile).toBe('/etc/ca.pem');
    expect(registry.find('field-north')).toBeNull();
    await refusesChanges(registry, 'a');
  });

  it('are chosen among, and what the operator knew comes back when the policy goes', async () => {
    const ports = createTestPorts();
    await addByHand(await open(ports));
    const both = listed('/etc/a.json', '/etc/b.json');
    expect((await (await open(ports, files, [], both)).choose('b')).ok).toBe(true);
    expect((await open(ports, files, [], both)).chosen).toBe('b');
    expect((await open(ports, files, [], listed('/etc/a.json'))).chosen).toBe('a');
    const without = await open(ports);
    expect(without.summaries().map(({ id }) => id)).toEqual(['field-north']);
    expect(without.chosen).toBe('field-north');
  });

  it('are said when they cannot be read, and nothing takes the place of the first', async () => {
    const registry = await open(createTestPorts(), files, [], listed('/etc/none.json', '/etc/b.json'));
    expect(registry.problem).toMatchObject({
      code: 'deployment-unreadable',
      sentence: saying(expect.stringContaining('none.json')),
    });
    expect(registry.chosen).toBeNull();
    expect(registry.find('b')).not.toBeNull();
    const bad = await open(createTestPorts(), { '/x.json': '{' }, [], listed('/x.json'));
    expect(bad.problem?.code).toBe('deployment-invalid');
  });

  it('are not two of the same id at two origins', async () => {
    const two = { ...files, '/etc/b.json': text({ id: 'a', infrastructureUrl: 'https://other.example' }) };
    const registry = await open(createTestPorts(), two, [], listed('/etc/a.json', '/etc/b.json'));
    expect(registry.problem?.code).toBe('deployment-conflict');
    expect(registry.find('a')?.infrastructureUrl).toBe('https://infra.example');
  });

  it('are the only ones that a start may name', async () => {
    const both = listed('/etc/a.json', '/etc/b.json');
    const known = await open(createTestPorts(), files, [named('/etc/b.json')], both);
    expect([known.chosen, known.problem]).toEqual(['b', null]);
    const foreign = await open(createTestPorts(), files, [named('/home/c.json', 'environment')], both);
    expect(foreign.chosen).toBe('a');
    expect(foreign.problem?.code).toBe('policy-forbids');
    expect(foreign.find('c')).toBeNull();
    expect(await foreign.loadNamed()).toBeNull();
    expect(foreign.find('c')).toBeNull();
  });
});

it('deployments of a policy that cannot be used stay as they are known', async () => {
  const ports = createTestPorts();
  await addByHand(await open(ports));
  const files = { '/d.json': text({ id: 'new' }) };
  const registry = await open(ports, files, [named('/d.json')], { kind: 'known' });
  expect(registry.summaries().map(({ id }) => id)).toEqual(['field-north']);
  expect(registry.chosen).toBe('field-north');
  expect(registry.problem?.code).toBe('policy-forbids');
  await refusesChanges(registry, 'field-north');
});
