import type { Page } from '@playwright/test';
import type { TrainingServer } from '../../src-main/training/index.ts';
import { show } from '../e2e/support/pageStores.ts';
import { dialog, escape, panel, plain, press, pressed, see, shown, type State } from './state.ts';

const wantsAlarm = { severity: 'critical', incident_type: 'flood' } as const;

/** What comes when something is not well, in the order in which it gets worse: most of it stays. */
export const troubles: readonly State[] = [
  {
    name: 'alarm',
    enter: async (page, service) => {
      await show(page, { ...plain, panel: 'alarms' });
      service.addIncident({ ...wantsAlarm, location: { latitude: 3, longitude: 4, altitude: null } });
      await see(page, '.banner--critical');
    },
  },
  {
    ...pressed('muted', { panel: 'alarms' }, '.mute .button', '.status__muted'),
    leave: (page) => press(page, '.mute .button'),
  },
  {
    name: 'alarms acknowledged',
    enter: async (page) => {
      await show(page, { ...plain, panel: 'alarms' });
      await press(page, '.alarms__head .button, .banner .button--primary');
      await page.locator('.banner').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'upload failed',
    enter: async (page, service) => {
      await service.set({ uploadFault: 'too-large' });
      await show(page, { ...plain, panel: 'outbox' });
      const file = { name: 'too-large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(40_000, 1) };
      await page.locator(`${panel} input[type="file"]`).first().setInputFiles(file);
      await see(page, '.upload__state--loud');
    },
    leave: (_, service) => service.set({ uploadFault: 'none' }),
  },
  {
    ...pressed(
      'discarded',
      { panel: 'outbox' },
      '.upload--failed .upload__asked > .button:last-child',
      dialog,
    ),
    leave: escape,
  },
  {
    name: 'decision unknown',
    enter: async (page, service) => {
      await service.set({ missionFault: 'answer-lost' });
      await show(page, { ...plain, panel: 'missions' });
      await press(page, `${panel} [role="option"]:not(:has(.quiet.row__state))`);
      await press(page, '.missions .bar .button--primary');
      const end = await page.locator('label[for="decision-typed"] code').innerText();
      await page.locator('#decision-typed').fill(end);
      await press(page, '.decision__or > .button--primary');
      await see(page, '.state--unknown');
    },
    leave: (_, service) => service.set({ missionFault: 'none' }),
  },
  {
    name: 'map refused',
    enter: async (page) => {
      await show(page, { ...plain, panel: 'maps' });
      const file = {
        name: 'torn.pmtiles',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from('torn'),
      };
      await page.locator(`${panel} input[type="file"]`).setInputFiles(file);
      await see(page, '.imports .note');
    },
  },
  {
    name: 'not granted',
    enter: async (page, service) => {
      await show(page, plain);
      await service.set({ incidentScope: false, missionScope: false, evidenceScope: false });
      await see(page, '.incidents__failure');
    },
  },
  shown('evidence not granted', { panel: 'evidence' }, '.evidence__failure'),
  {
    name: 'offline',
    enter: async (page, service) => {
      await show(page, plain);
      await service.set({ fault: 'refuse' });
      await see(page, '.status--offline');
    },
  },
  shown('missions, offline', { panel: 'missions' }, '.status--offline'),
  shown('integrations, offline', { panel: 'integrations' }, '.status--offline'),
  shown('live events, offline', { drawer: 'events' }, '.status--offline'),
  {
    name: 'signed out by the service',
    enter: async (page, service) => {
      await show(page, plain);
      await service.set({
        fault: 'none',
        incidentScope: true,
        missionScope: true,
        evidenceScope: true,
        accountRevoked: true,
      });
      await see(page, '.notices [role="alert"]');
    },
  },
  {
    ...pressed('signing in again', {}, '.notices [role="alert"] .button--small', dialog),
    leave: escape,
  },
];

async function signIn(page: Page, service: TrainingServer): Promise<void> {
  await page.locator('#sign-in-username').fill(service.credentials.username);
  await page.locator('#sign-in-password').fill(service.credentials.password);
  await page.keyboard.press('Enter');
}

/** What stands in front of the workspace once it was left, in this order. */
export const doors: readonly State[] = [
  {
    name: 'locked',
    enter: async (page) => {
      await press(page, 'nav .rail__item:nth-last-child(2)');
      await see(page, '#unlock-password');
    },
  },
  {
    name: 'wrong password',
    enter: async (page) => {
      await page.locator('#unlock-password').fill('not this one');
      await page.keyboard.press('Enter');
      await see(page, '.lock [role="alert"]');
    },
  },
  {
    name: 'signed out',
    enter: async (page) => {
      await press(page, '.lock__submit + .button');
      await see(page, '.card__kept .vault');
    },
  },
  {
    name: 'kept data erased',
    enter: async (page) => {
      await press(page, '.vault [aria-haspopup]');
      await press(page, `${dialog} .option`);
      await see(page, `${dialog} .dialog__actions, .dialog`);
    },
    leave: escape,
  },
  {
    name: 'signed in without the service',
    enter: async (page, service) => {
      await service.set({ fault: 'refuse', accountRevoked: false });
      await signIn(page, service);
      await see(page, '.notices .lucide-cloud-off');
    },
    leave: (_, service) => service.set({ fault: 'none' }),
  },
  {
    name: 'sealed data',
    enter: async (page, service) => {
      service.changePassword();
      await press(page, 'nav .rail__item:last-child');
      await press(page, `${dialog} > button:last-of-type`);
      await signIn(page, service);
      await see(page, '#previous-password');
    },
  },
  {
    name: 'sealed data left behind',
    enter: async (page) => {
      await press(page, '.sealed__others > :first-child');
      await see(page, dialog);
    },
    leave: escape,
  },
];
