import { afterEach, beforeEach, expect, it } from 'vitest';
import { askBeforeClosing } from '../../../src-main/hosts/desktop/askBeforeClosing.ts';
import type { OutboxState } from '../../../src-preload/contract/index.ts';
import { flush } from '../../support/clock.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';
import type { FakeWindow } from './fake/window.ts';

let desktop: DesktopUnderTest;
let window: FakeWindow;

beforeEach(async () => {
  desktop = await desktopUnderTest();
  window = await desktop.run({ attachments: [askBeforeClosing(desktop.options.dialogs)] });
});
afterEach(() => desktop.end());

const unsent = (count: number): void =>
  desktop.fake.tell('outbox', { unsent: count } satisfies Partial<OutboxState> as OutboxState);

it('closes at once while there is nothing to send', () => {
  unsent(0);
  window.close();
  expect(window.destroyed).toBe(true);
  expect(desktop.electron.questions).toEqual([]);
});

it('asks once, and stays, while files are not sent', async () => {
  unsent(2);
  window.close();
  window.close();
  expect(window.destroyed).toBe(false);
  expect(desktop.electron.questions).toMatchObject([
    {
      message: '2 uploads are not sent yet. End the console?',
      buttons: ['Stay', 'End the console'],
      cancelId: 0,
    },
  ]);
  desktop.electron.answer(0);
  await flush();
  expect(window.destroyed).toBe(false);
  unsent(1);
  window.close();
  expect(desktop.electron.questions[1]?.message).toContain('1 upload is not sent yet');
  desktop.electron.answer(1);
  await flush();
  expect(window.destroyed).toBe(true);
});

it('asks too when the menu ends the console', () => {
  const [first] = desktop.electron.menu ?? [];
  const quit = Array.isArray(first?.submenu) ? first.submenu.find(({ label }) => label === 'Quit') : null;
  const choose = (): unknown => Reflect.apply(quit?.click ?? (() => undefined), undefined, []);
  unsent(2);
  choose();
  expect(desktop.electron.questions).toHaveLength(1);
  expect(window.destroyed).toBe(false);
  unsent(0);
  choose();
  expect(window.destroyed).toBe(true);
});

it('asks in the page’s language', () => {
  desktop.options.words.use('ar');
  unsent(2);
  window.close();
  expect(desktop.electron.questions[0]?.message).toBe('عمليتا رفع لم تُرسلا بعد. أتنهي وحدة التحكم؟');
});

it.each([
  ['quits', () => desktop.electron.app.quit()],
  [
    'is ended by Windows',
    () => {
      window.happens('session-end');
      window.close();
    },
  ],
])('does not ask when the console %s', (_how, end) => {
  unsent(2);
  end();
  expect(window.destroyed).toBe(true);
  expect(desktop.electron.questions).toEqual([]);
});

it('lets a window go that was closed while it was asked about', async () => {
  unsent(1);
  window.close();
  desktop.electron.app.quit();
  desktop.electron.answer(1);
  await flush();
  expect(window.destroyed).toBe(true);
});
