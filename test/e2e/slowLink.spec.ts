import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createClock } from '../../src-main/adapters/clock.ts';
import { syntheticIncidents } from '../support/dataset.ts';
import { fieldLine, Line, type LineOptions } from '../support/line/line.ts';
import { openLineRelay } from '../support/line/relay.ts';
import { chooseFiles } from './support/files.ts';
import { expect, test as base, type OpenedConsole } from './support/fixtures.ts';
import { writeDeployment } from './support/launch.ts';

// What must always hold holds the first time.
base.describe.configure({ retries: 0 });

const count = 60;

/** A station whose two APIs are behind one line. */
const test = base.extend<{
  station: (change?: Partial<LineOptions>) => Promise<OpenedConsole & { line: Line }>;
}>({
  station: async ({ service, folder, open }, use) => {
    const closers: (() => Promise<void>)[] = [];
    await use(async (change = {}) => {
      const line = new Line({ clock: createClock(), ...fieldLine, ...change });
      const relays = [service.infrastructureUrl, service.coordinationUrl].map((url) =>
        openLineRelay(line, url),
      );
      const [infrastructure, coordination] = await Promise.all(relays);
      closers.push(...(await Promise.all(relays)).map((relay) => () => relay.close()));
      const deployment = await writeDeployment(folder, {
        id: 'field',
        name: 'Field station',
        infrastructureUrl: infrastructure?.url ?? '',
        coordinationUrl: coordination?.url ?? '',
        timestampUnit: service.switches().timestampUnit,
        missions: { pendingPath: '/admin/missions/pending', rejectPath: '/admin/missions/reject' },
      });
      return Object.assign(await open(['--deployment', deployment]), { line });
    });
    for (const close of closers) await close();
  },
});

test.use({ serviceOptions: { dataset: syntheticIncidents(count) } });

async function acknowledge({ page, operator }: OpenedConsole, type: string): Promise<void> {
  await operator.openPanel('Alarms');
  const alarms = page.getByRole('region', { name: 'Alarms', exact: true });
  const alarm = alarms.getByRole('listitem').filter({ hasText: `Critical: ${type}` });
  await alarm.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await expect(alarms.getByRole('list', { name: 'Past alarms' })).toContainText(`Critical: ${type}`);
}

async function approve({ page, operator }: OpenedConsole, id: string): Promise<void> {
  await operator.openPanel('Missions');
  const missions = page.getByRole('region', { name: 'Missions', exact: true });
  await missions.getByRole('option').filter({ hasText: id }).click();
  await missions.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const box = await dialog.getByRole('button', { name: /^Hold to/ }).boundingBox();
  if (box === null) throw new Error('Nothing to hold');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(dialog).toBeHidden();
  await page.mouse.up();
  await expect(missions.getByText(/^\s*Approved\s+at/)).toBeVisible();
}

async function upload({ page, operator }: OpenedConsole, bytes: number): Promise<void> {
  await operator.openPanel('Outbox');
  const outbox = page.getByRole('region', { name: 'Outbox', exact: true });
  const file = { name: 'levee.jpg', buffer: randomBytes(bytes) };
  await chooseFiles(outbox.getByRole('button', { name: 'Add files' }), [file]);
}

const stateOf = (page: Page, state: string) =>
  page
    .getByRole('region', { name: 'Outbox', exact: true })
    .getByRole('row')
    .filter({ hasText: 'levee.jpg' })
    .locator('.upload__state')
    .filter({ hasText: new RegExp(`^${state}$`) });

const flood = {
  id: 'raised-1',
  severity: 'critical',
  incident_type: 'flood',
  location: { latitude: 3, longitude: 4, altitude: null },
};

test(
  'on 256 kbit/s an alarm is acknowledged, a mission approved and a file sent',
  { tag: '@journey' },
  async ({ station, service }) => {
    const opened = await station({ bytesPerSecond: 32_000, roundTripMs: 300, resets: 0 });
    const mission = service.addMission({ title: 'Search the north shore' });
    await opened.operator.signIn(service.credentials);
    await opened.operator.expectIncidents(count);
    service.addIncident(flood);
    await acknowledge(opened, 'flood');
    await upload(opened, 60_000);
    await approve(opened, mission);
    await opened.operator.openPanel('Outbox');
    await expect(stateOf(opened.page, 'Sent')).toBeVisible();
    expect(service.decisions()).toMatchObject([{ missionId: mission, decision: 'approve' }]);
    expect(service.uploads()).toHaveLength(1);
    expect(service.counts.requests['POST /login']).toBe(1);
  },
);

test('on 64 kbit/s a shift goes on while a file is sent, and after a minute without the line', async ({
  station,
  service,
}) => {
  const opened = await station();
  const { line, operator, page } = opened;
  const missions = ['Search the north shore', 'Watch the levee'].map((title) =>
    service.addMission({ title }),
  );
  await operator.signIn(service.credentials);
  await operator.expectIncidents(count);
  service.addIncident(flood);
  await acknowledge(opened, 'flood');
  await upload(opened, 400_000);
  await expect(stateOf(page, 'Sending')).toBeVisible();
  await approve(opened, missions[0] ?? '');

  line.isOff = true;
  await expect(operator.connection).toHaveText(/^\s*Offline/);
  const { clock } = line.options;
  const from = clock.elapsed();
  await expect.poll(() => clock.elapsed() - from).toBeGreaterThan(60_000);
  service.addIncident({ ...flood, id: 'raised-2', incident_type: 'wildfire' });
  line.isOff = false;
  await expect(operator.connection).toHaveText(/^\s*Online/);
  await expect(page.getByRole('button', { name: 'Data status', exact: true })).toContainText(/Fresh/);
  await acknowledge(opened, 'wildfire');
  await approve(opened, missions[1] ?? '');
  await operator.openPanel('Outbox');
  await expect(stateOf(page, 'Sent')).toBeVisible();

  expect(service.decisions().map(({ missionId }) => missionId)).toEqual(missions);
  expect(service.uploads()).toHaveLength(1);
  expect(service.counts.requests['POST /login']).toBe(1);
});
