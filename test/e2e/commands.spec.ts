import { expect, test } from './support/fixtures.ts';

test.describe('search, commands and keys', () => {
  test(
    'one box finds by words, fields and places; says what found nothing; and clears',
    { tag: '@map' },
    async ({ operator, service }) => {
      const { page, incidents } = operator;
      await operator.expectIncidents(1712);
      const box = incidents.getByRole('combobox', { name: 'Search incidents' });

      // One by itself, by each of its fields.
      service.addIncident({ id: 'needle-77', incident_type: 'mudslide', status: 'triaged', severity: 'low' });
      await operator.expectIncidents(1713);
      for (const wanted of ['id:needle', 'type:mudslide', 'status:triaged', 'mudslide low']) {
        await box.fill(wanted);
        await operator.expectIncidents(1);
        await expect(incidents.getByRole('option', { name: /mudslide/i }), wanted).toBeVisible();
      }
      await box.fill('');
      await operator.expectIncidents(1713);
      await operator.map.getByRole('application').focus();

      // A sign alone reaches it, and rests while something is typed in it.
      await page.keyboard.press('/');
      await expect(box).toBeFocused();
      await page.keyboard.type('high');
      await expect(box).toHaveValue('high');
      // Until the search is done the count beside the box is of a shorter word.
      const shown = 80;
      await expect(incidents.getByText(`${shown} found`).first()).toBeVisible();
      await operator.expectIncidents(shown);
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', String(shown));

      // Ways to go on with a word, taken with the keyboard.
      await box.fill('sev');
      await expect(incidents.getByRole('option', { name: 'severity:' })).toBeVisible();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(box).toHaveValue('severity:');
      await page.keyboard.type('crit');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(box).toHaveValue('severity:critical ');

      // A place of the gazetteer, narrowed by a word, and by what no incident holds.
      await box.fill('place:Chile');
      await expect(incidents.getByText(/^\d+ incidents?$/).first()).toBeVisible();
      await box.fill('place:Chile quux');
      await expect(incidents.getByText('No incident found.')).toBeVisible();
      await expect(incidents.getByText('No incident contains quux.')).toBeVisible();
      await box.fill('high within:200km since:yesterday');
      await expect(incidents.getByText(/within:200km needs the station’s position/)).toBeVisible();
      await expect(incidents.getByText(/since:yesterday is not a time span/)).toBeVisible();
      await operator.expectIncidents(shown);

      // An anchor is found by the console, which holds the records.
      await page.keyboard.press('Escape');
      await expect(box).toHaveValue('');
      await operator.expectIncidents(1713);
      await box.fill('anchor:ab');
      await expect(incidents.getByText(/^[1-9]\d{0,2} incidents$/).first()).toBeVisible();
      await box.press('Enter');
      await expect(incidents.getByRole('listbox', { name: 'Incident list' })).toBeFocused();
      await incidents.getByRole('button', { name: 'Clear the search' }).click();
      await operator.expectIncidents(1713);
    },
  );

  test(
    'every action by its name, every key on a sheet, and the map walked with keys',
    { tag: '@map' },
    async ({ operator }) => {
      const { page, incidents, details, drawnMap } = operator;
      await operator.expectIncidents(1712);
      const palette = page.getByRole('dialog', { name: 'Commands' });
      const find = palette.getByRole('combobox', { name: 'Find an action' });

      // Fuzzy, with the reason why not, and with a question before what cannot be taken back.
      await page.keyboard.press('Control+k');
      await expect(find).toBeFocused();
      await find.fill('theme day');
      await page.keyboard.press('Enter');
      await expect(palette).toHaveCount(0);
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'day');
      await page.keyboard.press('.');
      await find.fill('sort distance');
      await expect(palette.getByText('station’s position not set')).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(palette).toBeVisible();
      await find.fill('sign out');
      await page.keyboard.press('Enter');
      await expect(palette.getByText(/^Sign out\? /)).toBeVisible();
      await expect(palette.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(palette).toHaveCount(0);

      // Every key on a sheet, where those of one sign are switched off and on again.
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Keys' });
      await expect(sheet.getByText('To the nearest incident that way')).toBeVisible();
      const single = sheet.getByRole('switch', { name: /^Single-key shortcuts/ });
      await single.click();
      await expect(single).not.toBeChecked();
      await page.keyboard.press('Escape');
      await expect(sheet).toHaveCount(0);
      await page.keyboard.press('/');
      await expect(incidents.getByRole('combobox', { name: 'Search incidents' })).not.toBeFocused();
      await page.keyboard.press('Control+k');
      await find.fill('single-key');
      await page.keyboard.press('Enter');
      await expect(palette).toHaveCount(0);

      // Round the parts of the page, then from incident to incident on the map.
      await incidents.getByRole('listbox', { name: 'Incident list' }).focus();
      const rail = page.getByRole('navigation', { name: 'Panels' }).getByRole('button').first();
      await expect(async () => {
        // Until the console has said that single keys count again.
        await page.keyboard.press('1');
        await expect(rail).toBeFocused({ timeout: 300 });
      }).toPass();
      await page.keyboard.press('F6');
      await expect(incidents.getByRole('listbox', { name: 'Incident list' })).toBeFocused();
      await page.keyboard.press('F6');
      await expect(operator.map.locator('canvas')).toBeFocused();
      await page.keyboard.press('Shift+ArrowRight');
      const walked = operator.map.getByText(
        /, (critical|high|medium|low|[a-z ]+), .+ (north|east|south|west)/,
      );
      await expect(walked).toBeVisible();
      await expect(details).toBeVisible();
      const first = await drawnMap.getAttribute('data-selected-incident');
      await expect(incidents.getByRole('option', { selected: true })).toBeVisible();
      await page.keyboard.press('n');
      await expect(drawnMap).not.toHaveAttribute('data-selected-incident', first ?? '');
      await page.keyboard.press('p');
      await expect(drawnMap).toHaveAttribute('data-selected-incident', first ?? '');
      await page.keyboard.press('Enter');
      await expect(details.locator(':focus')).toHaveCount(1);
      await page.keyboard.press('Escape');
      await expect(details).toHaveCount(0);
    },
  );
});
