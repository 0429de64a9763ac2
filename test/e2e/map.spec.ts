import { themes } from '../../src-renderer/design/tokens.ts';
import { expect, test } from './support/fixtures.ts';
import { colourShares } from './support/pixels.ts';

test.describe('map', () => {
  test(
    'draws land, water and the incidents’ severities in both themes',
    { tag: '@smoke' },
    async ({ operator, browser }) => {
      await operator.expectIncidents(1707);
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '1707');
      for (const name of ['day', 'night'] as const) {
        const theme = themes[name];
        const toggle = operator.page.getByRole('button', { name: `Switch to ${name}` });
        if (await toggle.isVisible()) await toggle.click();
        await expect(operator.page.locator('html')).toHaveAttribute('data-theme', name);
        await expect
          .poll(async () => {
            const shares = await colourShares(browser, operator.map, [
              theme.mapLand,
              theme.mapWater,
              theme.severityMedium,
              theme.severityHigh,
            ]);
            return Object.entries(shares)
              .filter(([, share]) => share < 0.0002)
              .map(([colour]) => colour);
          })
          .toEqual([]);
        const { [theme.mapLand]: land = 0, [theme.mapWater]: water = 0 } = await colourShares(
          browser,
          operator.map,
          [theme.mapLand, theme.mapWater],
        );
        expect(land).toBeGreaterThan(0.05);
        expect(water).toBeGreaterThan(0.2);
      }
    },
  );

  test('a click on the map selects what is there', async ({ operator, service }) => {
    await operator.expectIncidents(1707);
    service.addIncident({
      id: 'lonely',
      incident_type: 'wildfire',
      severity: 'critical',
      location: { latitude: -35, longitude: -15, altitude: 12.5 },
    });
    await operator.expectIncidents(1708);
    await operator.incidents.getByRole('option').first().click();
    await expect(operator.details.getByText('wildfire').first()).toBeVisible();
    await operator.page.getByRole('button', { name: /Show on map/ }).click();
    // The flight there takes under 1.4 s; closing the details or a click would end it before.
    await operator.page.waitForTimeout(2_500);
    const drawn = operator.drawnMap;
    const selected = await drawn.getAttribute('data-selected-incident');
    await operator.page.keyboard.press('Escape');
    await expect(operator.details).toHaveCount(0);
    await expect(drawn).toHaveAttribute('data-map-state', 'ready');
    // Shown on the map, the incident stands in the middle of it.
    await expect
      .poll(
        async () => {
          const box = await operator.map.boundingBox();
          if (!box) return null;
          await operator.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
          return drawn.getAttribute('data-selected-incident');
        },
        { intervals: [1_000] },
      )
      .toBe(selected);
    await expect(operator.details.getByText('wildfire').first()).toBeVisible();
    await expect(operator.incidents.getByRole('option', { selected: true })).toContainText(/wildfire/i);
  });

  test('without WebGL the list still works and a sentence says what happened', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    await page.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (
        this: HTMLCanvasElement,
        kind: string,
        ...rest: unknown[]
      ) {
        if (kind.startsWith('webgl')) return null;
        return (original as (...args: unknown[]) => unknown).call(this, kind, ...rest);
      } as typeof original;
    });
    await page.reload();
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1707);
    await expect(operator.map.getByText(/WebGL/)).toBeVisible();
    await operator.incidents.getByRole('option').first().click();
    await expect(operator.details).toBeVisible();
  });
});
