import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude, altitude: null });
const incident = (id: string, incident_type: string, severity: string, location: ReturnType<typeof at>) => ({
  id,
  incident_type,
  severity,
  status: 'open',
  created_at: '2026-11-20T12:00:00Z',
  evidence_count: 0,
  blockchain_records: [],
  location,
});

/** Counts what hands do: presses of a button and of a key. */
async function countActions(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const counted = { actions: 0 };
    for (const kind of ['pointerdown', 'keydown'])
      document.addEventListener(kind, () => (counted.actions += 1), { capture: true });
    return counted;
  });
  return () =>
    counter.evaluate((counted) => {
      const { actions } = counted;
      counted.actions = 0;
      return actions;
    });
}

interface Question {
  readonly asks: string;
  /** Null where the key alone answers: the list has the worst first as it begins. */
  readonly button: Locator | null;
  readonly key: string;
  readonly answered: () => Promise<void>;
  /** Back to where the question is asked; not counted. */
  readonly back: () => Promise<void>;
}

test.describe('the five questions', () => {
  test.use({
    serviceOptions: {
      dataset: [
        incident('worst', 'flood', 'critical', at(-30, 100)),
        incident('middle', 'fire', 'high', at(40, 60)),
        incident('near', 'landslide', 'low', at(20.1, 10)),
      ],
    },
  });

  test('each costs one press or one key', { tag: '@journey' }, async ({ operator, service }) => {
    const { page, incidents, details } = operator;
    await operator.expectIncidents(3);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('20.0 10.0');
    await page.getByRole('option', { name: 'Set the station to 20.00000° N, 10.00000° E' }).click();
    const first = incidents.getByRole('option').first();
    const alarms = page.getByRole('region', { name: 'Alarms', exact: true });
    const sync = page.getByRole('button', { name: 'Data status', exact: true });
    const toIncidents = () => operator.openPanel('Incidents');
    const taken = await countActions(page);

    const ask = async ({ asks, button, key, answered, back }: Question): Promise<void> => {
      const byKey = (): Promise<void> => page.keyboard.press(key);
      for (const act of button ? [() => button.click(), byKey] : [byKey]) {
        await taken();
        await act();
        await answered();
        expect(await taken(), asks).toBe(1);
        await back();
      }
    };

    await ask({
      asks: 'worst open',
      button: null,
      key: 'w',
      answered: () => expect(details).toContainText('worst'),
      back: async () => {
        await page.keyboard.press('Escape');
        await expect(details).toHaveCount(0);
      },
    });
    await ask({
      asks: 'near the station',
      button: null,
      key: 's',
      answered: () => expect(first).toContainText(/landslide/i),
      back: async () => {
        await page.keyboard.press('s');
        await expect(first).toContainText(/flood/i);
      },
    });
    service.addIncident(incident('late', 'explosion', 'medium', at(41, 61)));
    await expect(incidents.getByRole('button', { name: 'Changed 1' })).toBeVisible();
    await ask({
      asks: 'new since somebody looked',
      button: incidents.getByRole('button', { name: 'Changed 1' }),
      key: 'c',
      answered: async () => {
        await expect(first).toContainText(/explosion/i);
        await expect(incidents.getByRole('option')).toHaveCount(1);
      },
      back: () => incidents.getByRole('button', { name: 'Back to all incidents' }).click(),
    });
    await ask({
      asks: 'what nobody acknowledged',
      button: page.getByRole('navigation').getByRole('button', { name: /^Alarms/ }),
      key: 'u',
      answered: () => expect(alarms.getByText(/alarms? to acknowledge$/)).toBeVisible(),
      back: toIncidents,
    });
    await ask({
      asks: 'whether it is live',
      button: sync,
      key: 'l',
      answered: async () => {
        await expect(sync).toHaveAttribute('aria-expanded', 'true');
        await expect(page.getByRole('complementary', { name: 'Data status' })).toContainText(
          /Fresh, \d+\ss old/,
        );
      },
      back: () => page.keyboard.press('Escape'),
    });
  });
});
