import { readFile } from 'node:fs/promises';
import type { Download } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { Hands } from './support/hands.ts';

/** What docs/keyboard.md promises: the most steps that each task may take, once the console stands open. */
const budget = { find: 3, note: 4, export: 3, 'hand over': 2 } as const;
/** Where the station stands; nothing of the real week happened anywhere near. */
const station = { latitude: 20, longitude: 10 };
const kmPerDegree = 110.7;
const hour = 3_600_000;

interface Placed {
  readonly id: string;
  readonly severity: string;
  readonly km: number;
  readonly hoursAgo: number;
}
const wanted: readonly Placed[] = [
  { id: 'walk-near', severity: 'critical', km: 12, hoursAgo: 0.4 },
  { id: 'walk-middle', severity: 'critical', km: 120, hoursAgo: 3 },
  { id: 'walk-edge', severity: 'critical', km: 195, hoursAgo: 5.8 },
];
const decoys: readonly Placed[] = [
  { id: 'walk-too-far', severity: 'critical', km: 230, hoursAgo: 1 },
  { id: 'walk-too-old', severity: 'critical', km: 30, hoursAgo: 7 },
  { id: 'walk-not-critical', severity: 'high', km: 8, hoursAgo: 0.5 },
];

const textOf = async (download: Download): Promise<string> => readFile(await download.path(), 'utf8');

test(
  'three critical incidents near the station are found, one noted, exported and handed over by keys alone',
  { tag: ['@map', '@journey'] },
  async ({ opened, service }, testInfo) => {
    for (const { id, severity, km, hoursAgo } of [...wanted, ...decoys]) {
      service.addIncident({
        id,
        severity,
        incident_type: 'wildfire',
        created_at: new Date(Date.now() - hoursAgo * hour).toISOString(),
        location: {
          latitude: station.latitude + km / kmPerDegree,
          longitude: station.longitude,
          altitude: 0,
        },
      });
    }
    const { page, operator } = opened;
    const { incidents, details } = operator;
    const hands = new Hands(page);
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();

    hands.begin('sign in');
    await hands.type(service.credentials.username);
    await hands.press('Tab');
    await hands.type(service.credentials.password);
    await hands.press('Enter');
    await expect(incidents.getByText('500 incidents').first()).toBeVisible();

    // Once for each station: a position typed into the palette can be gone to or stood at.
    hands.begin('set the station');
    await hands.press('Control+k');
    await hands.type(`${station.latitude}.0 ${station.longitude}.0`);
    const standHere = page.getByRole('option', { name: 'Set the station to 20.00000° N, 10.00000° E' });
    await expect(standHere).toBeVisible();
    await hands.press('ArrowDown');
    await expect(standHere).toHaveAttribute('data-highlighted');
    await hands.press('Enter');
    await expect(page.getByRole('img', { name: 'The station' })).toBeAttached();

    hands.begin('find');
    await hands.press('/');
    await expect(incidents.getByRole('combobox', { name: 'Search incidents' })).toBeFocused();
    await hands.type('severity:critical within:200km since:6h');
    await operator.expectIncidents(3);
    await hands.press('Enter');
    const list = incidents.getByRole('listbox', { name: 'Incident list' });
    await expect(list).toBeFocused();
    await expect(list.getByRole('option')).toHaveCount(3);

    hands.begin('note');
    await hands.press('j');
    await expect(details.getByText('walk-near', { exact: true })).toBeVisible();
    await hands.press('a');
    await expect(details.getByRole('textbox', { name: 'New note' })).toBeFocused();
    await hands.type('Crew 4 is on its way.');
    await hands.press('Control+Enter');
    await expect(details.getByRole('listitem')).toContainText('Crew 4 is on its way.');
    // The keyboard is back where it was, so that the next key is a command again.
    await expect(list).toBeFocused();

    hands.begin('export');
    await hands.press('e');
    const exporting = page.getByRole('dialog', { name: 'Export incidents' });
    await expect(exporting.getByText('3 incidents, in the order of the list')).toBeVisible();
    const exported = page.waitForEvent('download');
    await hands.press('Enter');
    const file = await exported;
    // A browser keeps what it has saved for as long as it likes.
    const saved = await textOf(file);
    await expect(exporting.getByText(/^Saved: 3 incidents/)).toBeVisible();
    await hands.press('Escape');
    await expect(exporting).toBeHidden();

    hands.begin('hand over');
    await hands.press('h');
    const handing = page.getByRole('dialog', { name: 'Hand over this shift?' });
    await expect(handing.getByRole('textbox', { name: 'Summary' })).toBeFocused();
    const handed = page.waitForEvent('download');
    await hands.press('Control+Enter');
    const report = await textOf(await handed);
    await expect(handing).toBeHidden();
    await expect(
      page
        .getByRole('region', { name: 'Log', exact: true })
        .getByText(/^Handed over /)
        .first(),
    ).toBeVisible();

    const collection = JSON.parse(saved) as {
      field_console: Record<string, unknown>;
      features: { id: string }[];
    };
    expect(collection.features.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
    expect(collection.field_console['age']).toMatch(/^Data as of .* old when this was made\.$/);
    for (const text of ['Crew 4 is on its way.', 'walk-near', 'Exported', file.suggestedFilename()])
      expect(report, text).toContain(text);

    console.log(hands.report());
    await testInfo.attach('steps', { body: hands.report(), contentType: 'text/plain' });
    for (const task of Object.keys(budget) as (keyof typeof budget)[])
      expect(hands.count(task), hands.report()).toBeLessThanOrEqual(budget[task]);

    // Nothing of it has to be remembered: the palette makes a search of plain measures, and says each key.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('critical 200 km 6 h');
    await page.keyboard.press('Enter');
    const box = incidents.getByRole('combobox', { name: 'Search incidents' });
    await expect(box).toHaveValue('severity:critical within:200km since:6h');
    await operator.expectIncidents(3);
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await expect(details.getByText('walk-near', { exact: true })).toBeVisible();
    const palette = page.getByRole('dialog', { name: 'Commands' });
    for (const [name, key] of [
      ['Write a note on the selected incident', 'A'],
      ['Pin the selected incident', 'B'],
      ['Export or print the shown incidents', 'E'],
      ['Prepare the handover report', 'H'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(name);
      const action = palette.getByRole('option', { name: new RegExp(`^${name}`) });
      await expect(action.locator('kbd', { hasText: key })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(palette).toBeHidden();
    }
    await page.keyboard.press('b');
    await expect(list.getByRole('option').first()).toContainText('pinned');
    await expect(operator.drawnMap).toHaveAttribute('data-pinned-incidents', '1');
    await expect(operator.map.getByRole('list', { name: 'Severity legend' })).toContainText('Pinned');
  },
);
