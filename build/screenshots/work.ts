import { resolve } from 'node:path';
import { acknowledge, button, enter, panel, select, unselect } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** The workspace in its four themes, and what was there before it had them: panels, details, maps. */
const mapPackage = 'test/fixtures/maps/usgs-mt-whitney-8-15-webp-512.pmtiles';
const outboxFiles: readonly (readonly [name: string, bytes: number])[] = [
  ['harbour wall, north end.jpg', 4_200_000],
  ['harbour wall, crane 3.jpg', 3_700_000],
  ['survey flight 12.mp4', 12_500_000],
];

async function signInPage({ page }: Stage) {
  await button(page, 'Fill in').click();
}

/** The summary of the first reading, which every training session begins with. */
async function alarms(stage: Stage) {
  await enter(stage);
  const list = await panel(stage.page, 'Alarms');
  await list.getByText(/needs? attention/).waitFor();
}

async function workspace(stage: Stage) {
  await acknowledge(stage);
  await panel(stage.page, 'Incidents');
}

const unchanged = async () => undefined;

async function details(stage: Stage) {
  await select(stage, 'High');
}

async function missions(stage: Stage) {
  await unselect(stage);
  await button(stage.page, 'Show all incidents').click();
  const list = await panel(stage.page, 'Missions');
  await list.getByText('Pending').first().click();
}

async function integrations({ page }: Stage) {
  await panel(page, 'Integrations');
}

async function outbox({ page }: Stage) {
  const list = await panel(page, 'Outbox');
  const files = outboxFiles.map(([name, bytes]) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.alloc(bytes, name),
  }));
  await list.getByLabel('Files to send').setInputFiles(files);
  await list.getByText(`${outboxFiles.length} sent`).waitFor();
}

async function diagnostics({ page }: Stage) {
  await button(page, 'Account').click();
  await button(page, 'Diagnostics').click();
  await page.getByRole('region', { name: 'Diagnostics', exact: true }).getByText('Versions').waitFor();
}

async function sync({ page }: Stage) {
  await panel(page, 'Integrations');
  await button(page, 'Data status').click();
}

async function maps({ page }: Stage) {
  await page
    .getByRole('complementary', { name: 'Data status' })
    .getByRole('button', { name: /^Close/ })
    .click();
  const list = await panel(page, 'Maps');
  await list.getByLabel('Map files').setInputFiles(resolve(mapPackage));
  await list
    .getByRole('button', { name: /^Show extent/ })
    .first()
    .click();
}

export const work: Topic = {
  name: 'work',
  pictures: {
    'sign-in-night-1440': signInPage,
    'alarms-night-1440': alarms,
    'workspace-night-1440': workspace,
    'workspace-day-1440': unchanged,
    'workspace-sunlight-1440': unchanged,
    'workspace-red-1440': unchanged,
    'details-night-1440': details,
    'missions-night-1440': missions,
    'integrations-day-1440': integrations,
    'outbox-day-1440': outbox,
    'diagnostics-day-1440': diagnostics,
    'sync-day-1440': sync,
    'maps-night-1024': maps,
  },
};
