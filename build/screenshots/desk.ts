/** What the pictures' ways have in common: signing in, the rail, the boxes and the menus of the workspace. */
import type { Locator, Page } from '@playwright/test';
import { Operator } from '../../test/e2e/support/operator.ts';
import type { Stage } from './stage.ts';

export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true });
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Where an element is drawn. Throws where it is not. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${String(element)} is not drawn`);
  return box;
}

/** Chooses an entry of the rail and answers with its panel. */
export async function panel(page: Page, name: string): Promise<Locator> {
  const inRail = page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) });
  if ((await inRail.count()) > 0) await inRail.click();
  else await new Operator(page).command(`Panel: ${name}`);
  return region(page, name);
}

/** What has failed, in the words of the status bar. */
const failed = (page: Page) => page.getByRole('contentinfo').getByText(/^(down|degraded)$/);

/** Stops automatic arrivals and failures, so that a picture shows what its caption says. */
async function quieten(page: Page) {
  await page.getByRole('button', { name: /^Training/ }).click();
  const drawer = page.getByRole('complementary', { name: 'Training' });
  await drawer.getByRole('switch', { name: 'New incidents arrive' }).click();
  // The script began with the console. What has failed recovers while it runs, and never after its end.
  await failed(page).first().waitFor({ state: 'hidden', timeout: 240_000 });
  await drawer.getByRole('switch', { name: 'Integrations fail and recover' }).click();
  await drawer.getByRole('button', { name: /^Close/ }).click();
}

/** Signs in to the training, ends its script, and waits until all of its incidents are read. */
export async function enter({ page, operator }: Stage): Promise<void> {
  await button(page, 'Fill in').click();
  await button(page, 'Sign in').click();
  await operator.incidents.waitFor();
  await quieten(page);
  await page
    .getByRole('contentinfo')
    .getByText(/complete as of/)
    .waitFor();
  if ((await failed(page).count()) > 0) throw new Error('An integration has failed');
}

/** Acknowledges what waits: the summary of the first reading, and what the script may have brought before it. */
export async function acknowledge({ page }: Stage): Promise<void> {
  const banner = page.getByRole('region', { name: 'Alarm banner', exact: true });
  await banner.waitFor();
  while (await banner.isVisible()) {
    await button(banner, 'Acknowledge').click();
    await page.waitForTimeout(500);
  }
}

/** As after a while at work: the alarm of the first reading is acknowledged. */
export async function signIn(stage: Stage): Promise<void> {
  await enter(stage);
  await acknowledge(stage);
}

export async function search({ operator }: Stage, words: string): Promise<void> {
  await operator.incidents.getByRole('combobox', { name: 'Search incidents' }).fill(words);
}

/** Types where to go and goes there, with a mark; `leave` takes the mark off again. */
export async function goTo({ page }: Stage, place: string, { leave = false } = {}): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Go to a place' });
  await box.fill(place);
  await page.getByRole('listbox', { name: 'Places found' }).getByRole('option').first().waitFor();
  await box.press('Enter');
  if (!leave) return;
  await box.press('Escape');
  await box.press('Escape');
}

/** Sets where the station stands, as its operator would. */
export async function setStation({ page }: Stage, position: string): Promise<void> {
  const settings = await panel(page, 'Settings');
  await settings.getByRole('textbox', { name: 'Station’s position' }).fill(position);
  await button(settings, 'Set').click();
  await page.getByRole('img', { name: 'The station' }).waitFor({ state: 'attached' });
  await panel(page, 'Incidents');
}

/** Selects the first incident of the list that holds `text`. */
export async function select({ operator }: Stage, text: string): Promise<void> {
  await operator.incidents.getByRole('option').filter({ hasText: text }).first().click();
  await operator.details.waitFor();
}

export async function unselect({ page, operator }: Stage): Promise<void> {
  await button(operator.details, 'Close details').click();
  await page.mouse.move(0, 0);
}
