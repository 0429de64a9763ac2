import { afterEach, describe, expect, it } from 'vitest';
import type { DiagnosticTools } from '../../../../src-main/core/features/diagnostics/tools.ts';
import { noPolicy } from '../../../../src-main/core/features/policy/policy.ts';
import {
  verbs,
  type DiagnosticsReport,
  type RequestLine,
  type SelfTestStep,
} from '../../../../src-preload/contract/index.ts';
import { createTestPorts, type TestPorts } from '../../../support/ports.ts';
import { askDriven, fetched, openConsole, type OpenConsole } from '../../scopes/appFixtures.ts';
import { attempt, page, savedBundle } from './diagnosticsRig.ts';
import { textsOf } from './leaks.ts';
import { said, saying } from '../../../support/messages.ts';

let open: OpenConsole;
afterEach(async () => {
  await open.close();
  await open.ports.records.close();
  await open.ports.vaults.close();
});

const portsWith = (change: Partial<DiagnosticTools>): TestPorts => {
  const ports = createTestPorts();
  return { ...ports, diagnostics: { ...ports.diagnostics, ...change } };
};

const factOf = ({ sections }: DiagnosticsReport, title: string, name: string): string | undefined =>
  sections.find((section) => section.title === title)?.facts.find((fact) => fact.name === name)?.value;

const stepOf = (steps: readonly SelfTestStep[], id: string): string | undefined =>
  steps.find((step) => step.id === id)?.outcome;

describe('the report', () => {
  it('is what the contract says, before anybody has signed in', async () => {
    open = await openConsole();
    const report = verbs.readDiagnostics.reply.parse(await askDriven(open, 'readDiagnostics', { page }));
    expect(report.sections.map(({ title }) => title)).toEqual([
      'Versions',
      'Runtime',
      'Storage',
      'Vault',
      'Policy',
      'Connection',
      'Work',
      'Features',
    ]);
    expect(factOf(report, 'Versions', 'Node')).toBe(process.versions.node);
    expect(factOf(report, 'Vault', 'State')).toBe('closed');
    expect(factOf(report, 'Connection', 'Session')).toBe('none, never-started');
    expect(factOf(report, 'Features', 'WebGL')).toBe(page.webgl);
  });

  it('follows the work: each attempt with its id, logins too, and changes of the connection', async () => {
    open = await openConsole();
    expect((await open.ports.clock.drive(open.signIn())).ok).toBe(true);
    await open.shows(({ incidents }) => incidents?.count === 20, 'the incidents');
    const server = open.training();
    server?.failNext(1, 'error-500', '/incidents');
    await attempt(open, 'refreshIncidents', {});
    const { requests, connections } = await askDriven(open, 'readDiagnostics', { page });
    const login = requests.find(({ path }) => path === '/login');
    expect(login).toMatchObject({ method: 'POST', status: 200, code: null, api: 'infrastructure' });
    expect(login?.requestId).toMatch(/^trn-/);
    const failedAt = requests.findIndex(({ status }) => status === 500);
    expect(requests[failedAt]).toMatchObject({
      path: /^\/incidents/ as never,
      code: 'service-error',
    } satisfies Partial<Record<keyof RequestLine, unknown>>);
    expect(connections.map(({ api, state }) => `${api} ${state}`)).toContain('infrastructure degraded');
  });

  it('is there when the folder cannot be read, and says what it does not know', async () => {
    open = await openConsole({ ports: portsWith({ folder: () => Promise.reject(new Error('canary')) }) });
    const report = await askDriven(open, 'readDiagnostics', { page });
    expect(factOf(report, 'Storage', 'Free on the disk')).toBe('not known');
    expect(JSON.stringify(report)).not.toContain('canary');
  });
});

describe('the self-test', () => {
  it('passes on a sound computer and says why something was not run', async () => {
    open = await openConsole();
    const { steps } = verbs.runSelfTest.reply.parse(await askDriven(open, 'runSelfTest', { page }));
    expect(steps.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(stepOf(steps, 'database')).toBe('passed');
    expect(stepOf(steps, 'service-coordination')).toBe('passed');
    const idle = steps.filter(({ outcome }) => outcome === 'not-run');
    expect(idle.map(({ id }) => id)).toEqual(['keeping', 'events']);
    for (const { detail } of idle) expect(said(detail)).toMatch(/^[A-Z].*\.$/);
  });

  it('asks each API once, and finds a service that is gone', async () => {
    open = await openConsole();
    await open.training()?.goDown();
    const before = await askDriven(open, 'readDiagnostics', { page });
    const { steps } = await askDriven(open, 'runSelfTest', { page });
    expect([stepOf(steps, 'service-infrastructure'), stepOf(steps, 'service-coordination')]).toEqual([
      'failed',
      'failed',
    ]);
    const after = await askDriven(open, 'readDiagnostics', { page });
    const fresh = after.requests.slice(0, after.requests.length - before.requests.length);
    expect(fresh.filter(({ api }) => api === 'coordination')).toHaveLength(1);
  });

  it('says what failed by its kind, and goes on', async () => {
    const full = Object.assign(new Error('canary /home/somebody'), { code: 'ENOSPC' });
    open = await openConsole({
      ports: portsWith({
        writeProbe: () => Promise.reject(full),
        databaseProbe: () => Promise.reject(full),
        threadProbe: () => {
          // Nothing else is asked meanwhile, so the time that it is waited for passes at once.
          void open.ports.clock.advance(30_000);
          return new Promise(() => undefined);
        },
        folder: () =>
          Promise.resolve({ free: 1_000, parts: { vaults: 0, maps: 0, logs: 0, temporary: 0, other: 0 } }),
      }),
    });
    const { steps } = await askDriven(open, 'runSelfTest', { page: { ...page, webgl: null } });
    expect(
      steps.filter(({ outcome }) => outcome === 'failed').map(({ id, detail }) => [id, said(detail)]),
    ).toEqual([
      ['data-folder', 'Failed: ENOSPC.'],
      ['disk-space', 'Only 1.0 KB free.'],
      ['database', 'Failed: ENOSPC.'],
      ['threads', 'Not done within 30 seconds.'],
      ['webgl', 'The page has no WebGL, so there is no map.'],
    ]);
    expect(stepOf(steps, 'sealed-record')).toBe('passed');
  });

  it('finds a clock that is far off', async () => {
    open = await openConsole();
    await open.training()?.set({ clockOffsetMs: -600_000 });
    await attempt(open, 'checkHealth', {});
    const { steps } = await askDriven(open, 'runSelfTest', { page });
    expect(steps.find(({ id }) => id === 'clock')).toMatchObject({
      outcome: 'failed',
      detail: saying('10 min 0 s ahead of the service’s.'),
    });
  });
});

describe('the bundle', () => {
  it('holds what its list says, and can be fetched once', async () => {
    open = await openConsole();
    const { exportId, fileName, files } = verbs.prepareBundle.reply.parse(
      await askDriven(open, 'prepareBundle', { page }),
    );
    expect(fileName).toMatch(/^field-console-diagnostics-\d{8}-\d{4}\.zip$/);
    const zip = fetched(open, exportId);
    const texts = textsOf(zip ?? new Uint8Array());
    expect([...texts.entries()].map(([name, text]) => [name, Buffer.byteLength(text)])).toEqual(
      files.map(({ name, bytes }) => [name, bytes]),
    );
    for (const { name, holds } of files.slice(1)) {
      expect(texts.get('README.txt')).toContain(name);
      expect(holds.length).toBeGreaterThan(10);
    }
    expect(JSON.parse(texts.get('self-test.json') ?? '')).toMatchObject({
      steps: expect.any(Array) as unknown,
    });
    expect(open.console.bytes.exported(exportId)).toBeNull();
  });

  it('is gone after five minutes and after a lock', async () => {
    open = await openConsole();
    const second = await askDriven(open, 'prepareBundle', { page });
    await open.ports.clock.advance(5 * 60_000);
    expect(open.console.bytes.exported(second.exportId)).toBeNull();

    expect((await open.ports.clock.drive(open.signIn())).ok).toBe(true);
    const third = await askDriven(open, 'prepareBundle', { page });
    await askDriven(open, 'lock', {});
    expect(open.console.bytes.exported(third.exportId)).toBeNull();
    expect(await attempt(open, 'prepareBundle', { page })).toMatchObject({ failure: { code: 'locked' } });
    const password = open.training()?.credentials.password ?? '';
    await askDriven(open, 'unlock', { password });
    expect(open.console.bytes.exported(third.exportId)).toBeNull();
    expect(textsOf(await savedBundle(open)).size).toBe(6);
  });

  it('is refused where the policy allows no files to be saved; the page still shows everything', async () => {
    open = await openConsole({ policy: { ...noPolicy, exports: false } });
    expect(await attempt(open, 'prepareBundle', { page })).toMatchObject({
      ok: false,
      failure: { code: 'policy-forbids' },
    });
    expect((await askDriven(open, 'readDiagnostics', { page })).sections).toHaveLength(8);
  });

  it('is made without a log that can be read', async () => {
    open = await openConsole({ ports: portsWith({ logTail: () => Promise.reject(new Error('EACCES')) }) });
    expect(textsOf(await savedBundle(open)).get('console.log')).toBe('');
  });
});
