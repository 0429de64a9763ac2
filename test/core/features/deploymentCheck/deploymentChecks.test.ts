import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readDeploymentText } from '../../../../src-main/core/features/deployments/index.ts';
import type { TrainingServer } from '../../../support/training/index.ts';
import type { DeploymentCheckState, VerbRequest } from '../../../../src-preload/contract/index.ts';
import { createTestPorts, createRecordingLogger, type TestPorts } from '../../../support/ports.ts';
import { askDriven, fetched, openConsole, startService, type OpenConsole } from '../../scopes/appFixtures.ts';
import { machinePolicy } from '../policy/policyRig.ts';
import { deploymentFile } from '../deployments/deploymentFile.ts';

type Order = VerbRequest<'startDeploymentCheck'>;
const refusedWith = (code: string) => ({ ok: false, failure: { code } });
const done = { ok: true, value: null };

interface Rig {
  readonly open: OpenConsole;
  readonly service: TrainingServer;
  readonly order: Order;
  state(): DeploymentCheckState | undefined;
  /** Begins a check and waits for its end. */
  check(order?: Order): Promise<DeploymentCheckState | undefined>;
}

/** A console with one deployment, named by a file, and signed out. */
async function rig({
  change = {},
  console: options = {},
  ports = createTestPorts(),
}: {
  readonly change?: object;
  readonly console?: Parameters<typeof openConsole>[0];
  readonly ports?: TestPorts;
} = {}): Promise<Rig> {
  const service = await startService(ports);
  onTestFinished(() => service.close());
  const folder = await mkdtemp(join(tmpdir(), 'field-console-checks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { infrastructureUrl, coordinationUrl, credentials } = service;
  const path = join(folder, 'north.json');
  await writeFile(path, JSON.stringify(deploymentFile({ infrastructureUrl, coordinationUrl, ...change })));
  const open = await openConsole({ ports, named: [{ source: 'command-line', path }], ...options });
  onTestFinished(() => open.close());
  service.resetCounts();
  const order: Order = { of: { kind: 'known', id: 'field-north' }, ...credentials };
  const state = (): DeploymentCheckState | undefined => open.mirror.slices.deploymentCheck;
  return {
    open,
    service,
    order,
    state,
    check: async (given = order) => {
      await open.call('dismissDeploymentCheck', {});
      await open.shows(({ deploymentCheck }) => deploymentCheck?.kind === 'none', 'no other check');
      expect(await open.call('startDeploymentCheck', given)).toEqual(done);
      await open.shows(
        ({ deploymentCheck }) => deploymentCheck?.kind === 'done' || deploymentCheck?.kind === 'failed',
        'the end of the check',
      );
      return state();
    },
  };
}

/** The requests that only a check sends. */
const logins = ({ service }: Rig): number => service.counts.requests['POST /login'] ?? 0;

describe('a check that a page asks for', () => {
  it('tells how far it is, and gives a report and the file that follows', async () => {
    const one = await rig();
    const shown: DeploymentCheckState[] = [];
    one.open.console.watch('deploymentCheck', (state) => shown.push(state));
    const state = await one.check();
    const counts = shown.flatMap((seen) => (seen.kind === 'running' ? [seen.requests] : []));
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThan(10);
    expect(state).toMatchObject({
      kind: 'done',
      report: { requests: counts.at(-1), mostRequests: 60, logins: 1, stopped: null },
    });
    if (state?.kind !== 'done') throw new Error('No report');
    expect(logins(one)).toBe(1);
    const reading = readDeploymentText(state.fileText, null);
    expect(reading).toMatchObject({
      valid: true,
      deployment: { id: 'field-north', timestampUnit: 'seconds', eventsPath: '/events' },
    });
    // What every file has by default is left out, so that what was found is seen.
    expect(Object.keys(JSON.parse(state.fileText) as object)).toEqual([
      ...['version', 'id', 'name', 'infrastructureUrl', 'coordinationUrl'],
      ...['timestampUnit', 'loginPath', 'evidencePath', 'missions', 'eventsPath'],
    ]);
  });

  it('has neither password nor token in anything but its request', async () => {
    const logger = createRecordingLogger();
    const ports = { ...createTestPorts(), logger };
    const one = await rig({ ports });
    const pushed: string[] = [];
    const subscription = one.open.console.subscribe((push) => {
      pushed.push(JSON.stringify(push));
      subscription.answer({ kind: 'acknowledge', epoch: push.epoch, revision: push.revision });
    });
    await one.check();
    const { exportId } = await askDriven(one.open, 'prepareDeploymentCheck', { what: 'report' });
    const places = [
      pushed.join('\n'),
      JSON.stringify(logger.lines),
      Buffer.from(fetched(one.open, exportId) ?? []).toString(),
      [...ports.documents.texts.values()].join('\n'),
    ];
    for (const place of places) expect(place.length).toBeGreaterThan(2);
    const secrets = [one.service.credentials.password, ...one.service.issuedTokens()];
    expect(secrets).toHaveLength(2);
    for (const secret of secrets) {
      for (const place of places) expect(place.includes(secret)).toBe(false);
    }
  });

  it('is of what waits to be added as well, and of nothing that is not known', async () => {
    const one = await rig();
    const { infrastructureUrl, coordinationUrl } = one.service;
    const text = JSON.stringify(deploymentFile({ id: 'new', infrastructureUrl, coordinationUrl }));
    const { proposalId } = await askDriven(one.open, 'proposeDeployment', { text });
    const of = { kind: 'proposed', proposalId } as const;
    expect(await one.check({ ...one.order, of })).toMatchObject({ report: { deployment: { id: 'new' } } });
    expect(one.open.mirror.slices.deployments?.known.map(({ id }) => id)).toEqual(['field-north']);
    await one.open.call('dismissDeployment', { proposalId });
    one.service.resetCounts();
    const strange: Order['of'][] = [of, { kind: 'known', id: 'new' }, { kind: 'known', id: 'training' }];
    for (const other of strange) {
      const asked = await one.open.call('startDeploymentCheck', { ...one.order, of: other });
      expect(asked).toMatchObject(refusedWith('deployment-unknown'));
    }
    expect(logins(one)).toBe(0);
  });

  it('is of training too', async () => {
    const open = await openConsole();
    onTestFinished(() => open.close());
    const credentials = open.training()?.credentials ?? { username: '', password: '' };
    const of = { kind: 'known', id: 'training' } as const;
    expect(await open.call('startDeploymentCheck', { of, ...credentials })).toEqual(done);
    await open.shows(({ deploymentCheck }) => deploymentCheck?.kind === 'done', 'the report');
    expect(open.mirror.slices.deploymentCheck).toMatchObject({
      report: { deployment: { id: 'practice' }, stopped: null, logins: 1 },
    });
  });

  it('is one at a time, ends when it is cancelled, and sends nothing more', async () => {
    const one = await rig();
    expect(await one.open.call('startDeploymentCheck', one.order)).toEqual(done);
    expect(await one.open.call('startDeploymentCheck', one.order)).toMatchObject(refusedWith('conflict'));
    await one.open.shows(
      ({ deploymentCheck }) => deploymentCheck?.kind === 'running' && deploymentCheck.requests > 3,
      'some requests',
    );
    expect(await one.open.call('cancelDeploymentCheck', {})).toEqual(done);
    await one.open.shows(({ deploymentCheck }) => deploymentCheck?.kind === 'done', 'the end');
    const state = one.state();
    expect(state).toMatchObject({ kind: 'done', report: { stopped: 'cancelled' } });
    const sent = state?.kind === 'done' ? state.report.requests : 0;
    expect(sent).toBeLessThan(20);
    expect(Object.values(one.service.counts.requests).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(
      sent,
    );
    // The next one may begin, and what was cancelled does not come back into it.
    expect(await one.check()).toMatchObject({ report: { stopped: null } });
  });

  it('ends when it is dismissed: its end is not reported', async () => {
    const one = await rig();
    await one.open.call('startDeploymentCheck', one.order);
    await one.open.shows(({ deploymentCheck }) => deploymentCheck?.kind === 'running', 'the check');
    expect(await one.open.call('dismissDeploymentCheck', {})).toEqual(done);
    await one.open.ports.clock.advance(60_000);
    expect(one.state()).toEqual({ kind: 'none' });
    expect(await one.open.call('prepareDeploymentCheck', { what: 'file' })).toMatchObject(
      refusedWith('not-found'),
    );
  });

  it('is dropped when the operator signs out', async () => {
    const one = await rig();
    expect(await one.open.signIn(one.service)).toEqual(done);
    expect(await one.check()).toMatchObject({ kind: 'done' });
    await one.open.call('signOut', {});
    await one.open.shows(({ deploymentCheck }) => deploymentCheck?.kind === 'none', 'nothing of it');
    expect((await one.open.call('prepareDeploymentCheck', { what: 'report' })).ok).toBe(false);
  });

  it('says so where the private CA cannot be read, or is none', async () => {
    const missing = join(tmpdir(), 'field-console-no-such-ca.pem');
    const unread = await rig({ change: { caFile: missing } });
    expect(await unread.check()).toMatchObject({
      kind: 'failed',
      failure: { code: 'deployment-unreadable' },
    });
    expect(unread.service.counts.requests).toEqual({});
  });
});

describe('what a policy says of checks', () => {
  it('holds: where it says which deployments there are, none is checked', async () => {
    for (const policy of [machinePolicy({ deployments: ['training'] }), machinePolicy('{ "version": 1, ')]) {
      const one = await rig({ console: { policy } });
      const { infrastructureUrl, coordinationUrl } = one.service;
      const text = JSON.stringify(deploymentFile({ id: 'other', infrastructureUrl, coordinationUrl }));
      expect(await one.open.call('proposeDeployment', { text })).toMatchObject(refusedWith('policy-forbids'));
      for (const id of ['training', 'field-north']) {
        const asked = await one.open.call('startDeploymentCheck', {
          ...one.order,
          of: { kind: 'known', id },
        });
        expect(asked, id).toMatchObject(refusedWith('policy-forbids'));
      }
      expect(logins(one)).toBe(0);
      expect(one.state()).toEqual({ kind: 'none' });
    }
  });

  it('holds: where nothing may be saved, neither report nor file is', async () => {
    const one = await rig({ console: { policy: machinePolicy({ exports: false }) } });
    expect(await one.check()).toMatchObject({ kind: 'done' });
    for (const what of ['report', 'file'] as const) {
      expect(await one.open.call('prepareDeploymentCheck', { what })).toMatchObject(
        refusedWith('policy-forbids'),
      );
    }
  });

  it('lets both be saved where it does not', async () => {
    const one = await rig();
    const state = await one.check();
    if (state?.kind !== 'done') throw new Error('No report');
    const report = await askDriven(one.open, 'prepareDeploymentCheck', { what: 'report' });
    expect(report.fileName).toMatch(/^field-console-check-field-north-\d{8}-\d{4}\.json$/);
    const saved = JSON.parse(Buffer.from(fetched(one.open, report.exportId) ?? []).toString()) as object;
    expect(saved).toEqual({ ...state.report, file: JSON.parse(state.fileText) as object });
    const file = await askDriven(one.open, 'prepareDeploymentCheck', { what: 'file' });
    expect(file.fileName).toBe('field-north.json');
    expect(Buffer.from(fetched(one.open, file.exportId) ?? []).toString()).toBe(state.fileText);
  });
});
