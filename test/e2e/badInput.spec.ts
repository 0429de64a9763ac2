import { expect, test } from './support/fixtures.ts';

const good = {
  id: 'good',
  incident_type: 'fire',
  severity: 'high',
  location: { latitude: 5, longitude: 6, altitude: null },
};

test.describe('bad input', () => {
  test('every kind of answer that cannot be used is said with its code, and the good data stays', async ({
    operator,
    service,
  }) => {
    const { incidents, page } = operator;
    const notices = page.getByRole('region', { name: 'Session notices' });
    await operator.expectIncidents(1712);
    for (const [fault, code, place, again] of [
      ['garbage', 'unreadable-answer', incidents, 'Try again now'],
      // A lost connection is said once, above: as loud in a session as at its start.
      ['truncated', 'unreachable', notices, 'Refresh incidents'],
      ['captive-portal', 'answered-by-something-else', incidents, 'Try again now'],
      ['error-500', 'service-error', incidents, 'Try again now'],
    ] as const) {
      await service.set({ fault });
      await expect(place.getByText(code).first(), fault).toBeVisible();
      await expect(incidents.getByRole('button', { name: again })).toBeEnabled();
      await operator.expectIncidents(1712);
      await service.set({ fault: 'none' });
      // Not the note's own button: the console may have tried by itself, and the note be gone.
      await incidents.getByRole('button', { name: 'Refresh incidents' }).click();
      await expect(place.getByText(code), fault).toHaveCount(0);
    }
  });

  test('bad fields hide no incident, and records without an id are counted, alarm and take nothing with them', async ({
    operator,
    service,
  }) => {
    await operator.expectIncidents(1712);
    service.addIncident({ ...good, id: 'lat-91', location: { latitude: 91, longitude: 0, altitude: null } });
    const record = { ...good, evidence_count: 0, blockchain_records: [], status: 'open' };
    service.addStray({ ...record, id: 'no-date', created_at: 'tomorrow' });
    service.addIncident({ ...good, id: 'long', incident_type: 'x'.repeat(10_000_000) });
    service.addIncident({
      ...good,
      id: '<img src=x onerror=alert(1)>',
      incident_type: '<script>alert(1)</script>',
    });
    service.addIncident({ ...good, id: '__proto__', incident_type: '__proto__', status: 'constructor' });
    for (const id of [null, 1.5, '']) service.addStray({ ...record, id });
    await operator.expectIncidents(1716);
    const setAside = operator.incidents.getByRole('button', { name: /4 records could not be read/ });
    await setAside.click();
    await expect(operator.page.getByText('has no usable id').first()).toBeVisible();
    await expect(operator.incidents.getByText('<script>alert(1)</script>').first()).toBeVisible();
  });

  test('of a list in which no record has an id all are counted, and the good data stays', async ({
    operator,
    service,
  }) => {
    const { incidents } = operator;
    await operator.expectIncidents(1712);
    await service.set({ fault: 'wrong-types' });
    await incidents.getByRole('button', { name: 'Refresh incidents' }).click();
    await expect(incidents.getByRole('button', { name: /records could not be read/ })).toBeVisible();
    await operator.expectIncidents(1712);
    await service.set({ fault: 'none' });
    await incidents.getByRole('button', { name: 'Refresh incidents' }).click();
    await expect(incidents.getByRole('button', { name: /records could not be read/ })).toHaveCount(0);
  });
});
