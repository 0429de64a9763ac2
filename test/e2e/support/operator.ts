import { expect, type Locator, type Page } from '@playwright/test';

/** What an operator sees and does, by the accessible names that are part of the interface. */
export class Operator {
  readonly page: Page;
  readonly map: Locator;
  readonly incidents: Locator;
  readonly details: Locator;
  readonly integrations: Locator;
  readonly connection: Locator;
  /** The map's own element, which says what it has drawn in data attributes. */
  readonly drawnMap: Locator;

  constructor(page: Page) {
    this.page = page;
    this.map = page.getByRole('region', { name: 'Map', exact: true });
    this.incidents = page.getByRole('region', { name: 'Incidents', exact: true });
    this.details = page.getByRole('region', { name: 'Incident details', exact: true });
    this.integrations = page.getByRole('region', { name: 'Integrations', exact: true });
    this.connection = page.getByRole('status', { name: 'Connection' });
    this.drawnMap = this.map.locator('[data-map-state]');
  }

  async tryToSignIn(credentials: { readonly username: string; readonly password: string }): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Username' }).fill(credentials.username);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(credentials.password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Signs in and waits for the first incidents, as a console begins: what is open, the worst first. */
  async signInToOpen(credentials: { readonly username: string; readonly password: string }): Promise<void> {
    await this.tryToSignIn(credentials);
    await expect(this.incidents).toBeVisible();
    await expect(this.incidents.getByText(/\d incidents?\b/).first()).toBeVisible();
  }

  /** Signs in, and lists all incidents, the newest first: what a test adds stands at the top. */
  async signIn(credentials: { readonly username: string; readonly password: string }): Promise<void> {
    await this.signInToOpen(credentials);
    await this.showAll();
  }

  /** Lists all incidents, the newest first. */
  async showAll(): Promise<void> {
    await this.incidents.getByRole('button', { name: /^(?:Active|All)$/ }).click();
    await this.page.getByRole('button', { name: 'All incidents', exact: true }).click();
    // The line with the order has another count by then, and may be two lines.
    await expect(this.incidents.getByRole('button', { name: 'All', exact: true })).toBeVisible();
    await this.incidents.getByRole('button', { name: /^Sort by/ }).click();
    await this.page.getByRole('dialog').getByText('Time', { exact: true }).click();
    await expect(this.incidents.getByRole('button', { name: 'Sort by: Time, newest first' })).toBeVisible();
  }

  async expectIncidents(count: number): Promise<void> {
    const words = `${count.toLocaleString('en')} incident${count === 1 ? '' : 's'}`;
    await expect(this.incidents.getByText(words).first()).toBeVisible();
  }

  /** Presses a severity's chip, or ticks one status of the filter. */
  async filter(name: 'Severity' | 'Status', value: string): Promise<void> {
    if (name === 'Severity') {
      await this.incidents.getByRole('button', { name: new RegExp(`^${value} \\d`, 'i') }).click();
      return;
    }
    await this.incidents.getByRole('button', { name: /^Filter/ }).click();
    await this.page.getByRole('checkbox', { name: new RegExp(`^${value}`, 'i') }).click();
    await this.page.keyboard.press('Escape');
  }

  async clearFilters(): Promise<void> {
    await this.incidents.getByRole('button', { name: 'Clear filters' }).click();
  }

  /** Opens a panel by its name on the rail; those that are not there, by the palette. */
  async openPanel(
    name:
      | 'Incidents'
      | 'Drones'
      | 'Integrations'
      | 'Evidence'
      | 'Outbox'
      | 'Missions'
      | 'Alarms'
      | 'Log'
      | 'Maps'
      | 'Settings',
  ): Promise<void> {
    if (name === 'Integrations' || name === 'Maps') {
      await this.command(`Panel: ${name}`);
      return;
    }
    await this.page
      .getByRole('navigation')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click();
  }

  /** Runs a command of the palette by its name. */
  async command(name: string): Promise<void> {
    await this.page.keyboard.press('Control+K');
    await this.page.getByRole('dialog').getByRole('combobox').fill(name);
    await this.page
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .first()
      .click();
  }
}
