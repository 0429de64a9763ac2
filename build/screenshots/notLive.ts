import type { WebSocketRoute } from '@playwright/test';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining } from '../../test/support/training/index.ts';
import type { ThemeName, TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Take, Topic } from './stage.ts';

const named = (state: string, shown: readonly ThemeName[], take: (theme: ThemeName) => Take) =>
  Object.fromEntries(shown.map((theme) => [`${state}-${theme}-1440`, take(theme)]));

/** The page's way to its console, which can be cut and tied again: a console that was killed has no other theme. */
let cut = false;
const sockets = new Set<WebSocketRoute>();

const frozenIn =
  (theme: ThemeName): Take =>
  async ({ page }) => {
    // Its theme is the last thing that the page hears from the console.
    await page.waitForFunction((name) => document.documentElement.dataset['theme'] === name, theme);
    await page.mouse.move(0, 0);
    await page.waitForTimeout(2_500);
    cut = true;
    for (const socket of sockets) await socket.close();
    await page.getByText(/This screen is frozen/).waitFor();
    await page.waitForTimeout(1_500);
    const bytes = await page.screenshot();
    cut = false;
    await page.getByText(/This screen is frozen/).waitFor({ state: 'detached' });
    return bytes;
  };

const meets = (change: Partial<TrainingSwitches>, words: RegExp) => (): Take => async (stage) => {
  await stage.service().set(change);
  await stage.page.getByText(words).first().waitFor();
};
/** The health is asked as often as the incidents, and meets the limit as well. */
const throttled = (): Take => async (stage) => {
  await stage.service().set({ fault: 'too-many-requests' });
  const { page } = stage;
  await page.getByRole('button', { name: 'Open integrations' }).getByText('stale').first().waitFor();
  await page
    .getByRole('button', { name: 'Data status' })
    .getByText(/next try/)
    .waitFor();
};

/** The four ways in which a screen is not live, one of them also in red, where nothing turns grey. */
export const notLive: Topic = {
  name: 'notLive',
  service: () =>
    startTraining({ clock: createClock(), seed: 7, switches: { arrivals: false, integrationScript: false } }),
  prepares: (page) =>
    page.routeWebSocket(/./, (socket) => {
      if (cut) {
        void socket.close();
        return;
      }
      sockets.add(socket);
      socket.connectToServer();
      socket.onClose(() => sockets.delete(socket));
    }),
  opens: async ({ operator, service, page }) => {
    await operator.tryToSignIn(service().credentials);
    await operator.incidents.getByText('494 incidents').first().waitFor();
    await page
      .getByRole('button', { name: 'Data status' })
      .getByText(/complete/)
      .waitFor();
    await operator.incidents.getByRole('option').nth(2).click();
  },
  pictures: {
    ...named('frozen', ['night'], frozenIn),
    ...named('throttled', ['night'], throttled),
    ...named(
      'disconnected',
      ['night', 'red'],
      meets({ fault: 'refuse' }, /^No contact with the service since/),
    ),
    ...named('revoked', ['night'], meets({ fault: 'none', accountRevoked: true }, /Session expired\. Data/)),
  },
};
