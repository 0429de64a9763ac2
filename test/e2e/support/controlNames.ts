import type { Page } from '@playwright/test';

const roles = [
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch'],
  ...['slider', 'spinbutton', 'separator', 'application', 'navigation', 'region', 'dialog', 'grid'],
];
const line = new RegExp(String.raw`^\s*- '?(${roles.join('|')})\b(?: "((?:[^"\\]|\\.)*)")?`);

export interface ControlName {
  readonly role: string;
  /** As a screen reader reads it; empty where there is none. */
  readonly name: string;
}

/** The names of what is operated and of what divides the page, in the order in which they are read. */
export async function controlNames(page: Page): Promise<ControlName[]> {
  const snapshot = await page.locator('body').ariaSnapshot();
  return snapshot.split('\n').flatMap((text) => {
    const [, role, name = ''] = line.exec(text) ?? [];
    return role === undefined ? [] : [{ role, name }];
  });
}
