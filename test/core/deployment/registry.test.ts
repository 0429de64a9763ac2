import { describe, expect, it } from 'vitest';
import { DeploymentRegistry } from '../../../src-main/core/deployment/registry.ts';
import type { NamedDeployment } from '../../../src-main/core/console.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { deploymentFile } from './deploymentFile.ts';

const named = (path: string, source: NamedDeployment['source'] = 'command-line'): NamedDeployment => ({
  path,
  source,
});

async function open(
  ports: TestPorts,
  files: Record<string, string> = {},
  names: NamedDeployment[] = [],
): Promise<DeploymentRegistry> {
  const registry = new DeploymentRegistry({
    ...ports,
    readTextFile: (path) =>
      path in files ? Promise.resolve(files[path] ?? '') : Promise.reject(new Error('ENOENT')),
    named: names,
    now: () => ports.clock.wallNow(),
  });
  await registry.load();
  return registry;
}

const text = (change: Record<string, unknown> = {}): string => JSON.stringify(deploymentFile(change));

async function addByHand(registry: DeploymentRegistry, change: Record<string, unknown> = {}): Promise<void> {
  const proposed = registry.propose(text(change));
  if (!proposed.ok) throw new Error(proposed.failure.sentence);
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
    expect(registry.problem?.sentence).toMatch(/^1 of the known deployments/);
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
    const registry = new DeploymentRegistry({ ...ports, documents, named: [], now: () => 0 });
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
