import type { Page } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { credentials } from '../support/zoo/api.ts';
import { ZooServer } from '../support/zoo/server.ts';
import { expect, test } from './support/fixtures.ts';
import { writeDeployment } from './support/launch.ts';
import { switchFor } from './support/networkSwitch.ts';
import { expectTrue, type Truth } from './support/truth.ts';

const panelOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const calm = { arrivals: 0, edits: 0, removals: 0, flickers: 0, returns: 0 };

async function approve(page: Page, id: string): Promise<void> {
  await panelOf(page, 'Missions').getByRole('option').filter({ hasText: id }).first().click();
  await panelOf(page, 'Missions').getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(id);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('each number, time and button of ten states is true', { tag: '@journey' }, async ({ open, folder }) => {
  const zoo = await ZooServer.open({ seed: 29, incidents: 12, days: 2, open: 0.5, events: calm }, [
    'm-1',
    'm-2',
    'm-3',
  ]);
  const network = await switchFor(zoo.url);
  const deployment = await writeDeployment(folder, {
    ...{ id: 'zoo', name: 'Zoo station', infrastructureUrl: network.url, coordinationUrl: network.url },
    pollIntervals: { incidentsMs: 2_000, healthMs: 2_000 },
    missions: { pendingPath: '/admin/missions/pending' },
  });
  let truth: Truth = {
    ...{ zoo, answers: true, decidedAt: 0, unknown: 0, alarms: 1 },
    signedInAt: Date.now(),
    offered: [/^Acknowledge$/],
  };
  const holds = (page: Page, state: string, change: Partial<Truth> = {}): Promise<void> => {
    truth = { ...truth, ...change };
    return expectTrue(page, () => truth, state);
  };

  const desk = await open(['--deployment', deployment]);
  const { page, operator } = desk;
  await operator.signIn(credentials);
  await operator.expectIncidents(12);
  await holds(page, 'fresh', { signedInAt: Date.now() });

  const [second] = await Promise.all([
    page.context().waitForEvent('page'),
    operator.command('Open a second window with the list'),
  ]);
  await expect(panelOf(second, 'Incidents')).toBeVisible();
  await holds(second, 'second window', { offered: [] });
  await second.close();

  await operator.openPanel('Missions');
  zoo.decisionFault = 'conflict';
  await approve(page, 'm-1');
  await holds(page, 'after a conflict', { offered: [/^Acknowledge$/] });
  zoo.decisionFault = 'lost';
  await approve(page, 'm-2');
  await holds(page, 'after a lost answer', {
    decidedAt: Date.now(),
    unknown: 1,
    offered: [/^Acknowledge$/, /^Check again$/, /^Send the same decision again$/],
  });

  await operator.openPanel('Log');
  await panelOf(page, 'Log').getByRole('button', { name: 'Hand over' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
  await download;
  await holds(page, 'shift handed over', {
    offered: [/^Hand over$/, /^Begin a new shift$/, /^Acknowledge$/],
  });

  await operator.openPanel('Incidents');
  const trouble = { answers: false, offered: [/^Acknowledge$/] };
  zoo.condition = 'limited';
  await holds(page, 'rate limited', trouble);
  zoo.condition = 'failing';
  await page.getByRole('button', { name: 'Try again now' }).click();
  await holds(page, 'stale', trouble);
  await network.cut();
  await holds(page, 'offline', trouble);
  zoo.condition = 'forbidden';
  await network.restore();
  await holds(page, 'permission withdrawn', { ...trouble, offered: [/^Acknowledge$/, /^Check again$/] });
  zoo.condition = 'revoked';
  // What is refused is not asked for again; where something else is, the session has ended and the button is gone.
  const again = page.getByRole('button', { name: 'Check again' });
  await expect(async () => {
    await again.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()));
    expect(await page.getByRole('button', { name: 'Sign in again' }).count()).toBeGreaterThan(0);
  }).toPass();
  await holds(page, 'revoked', { ...trouble, alarms: 2, offered: [/^Acknowledge$/, /^Sign in again$/] });
  await desk.stop();

  zoo.condition = 'well';
  const policy = join(folder, 'policy.json');
  await writeFile(policy, JSON.stringify({ version: 1, kiosk: { mode: 'wallboard', rotateSeconds: 60 } }));
  const wall = await open(['--policy', policy, '--deployment', deployment]);
  await wall.page.getByRole('textbox', { name: 'Password' }).fill(credentials.password);
  await wall.page.keyboard.press('Enter');
  await expect(wall.page.getByRole('main', { name: 'Wallboard' })).toBeVisible();
  await holds(wall.page, 'wallboard', { answers: true, offered: [/^Leave kiosk$/] });
  await network.close();
  await zoo.close();
});
