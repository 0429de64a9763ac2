import type { TrainingServer } from '../support/training/index.ts';
import { expect, test } from './support/fixtures.ts';

// What must always hold holds the first time.
test.describe.configure({ retries: 0 });

/** Two more readings of the incidents: whatever was still to follow the last has followed. */
async function readAgain(service: TrainingServer): Promise<void> {
  const read = (): number => service.counts.requests['GET /incidents'] ?? 0;
  const before = read();
  await expect.poll(read).toBeGreaterThanOrEqual(before + 2);
}

test.describe('session', () => {
  test(
    'a revoked account costs exactly one login attempt and ends clearly',
    { tag: '@journey' },
    async ({ operator, service }) => {
      await operator.expectIncidents(1712);
      service.resetCounts();
      await service.set({ accountRevoked: true });
      const { page } = operator;
      await expect(page.getByText('session-rejected').first()).toBeVisible();
      // What no session reads any more has a time, not an age that goes on, and is drawn back to grey.
      await expect(page.getByRole('button', { name: 'Data status', exact: true })).toContainText(
        /as of \d\d:\d\d UTC/i,
      );
      await expect(page.getByText(/^(Fresh|Delayed|Stale), /)).toHaveCount(0);
      await expect(page.getByText('Live', { exact: true })).toHaveCount(0);
      await expect(page.locator('[data-screen]')).toHaveAttribute('data-screen', 'as-of');
      // That nothing is sent for an hour after it is proven with a virtual clock (core/session/renewal).
      expect(service.counts.logins).toBe(1);
      await operator.expectIncidents(1712);
    },
  );

  test('403 is said once and not asked again until the operator does', async ({ operator, service }) => {
    await operator.expectIncidents(1712);
    await service.set({ incidentScope: false });
    await expect(operator.incidents.getByText('not-granted').first()).toBeVisible();
    service.resetCounts();
    // The health is asked for as often as the incidents were; core/sync/incidentSync proves it for as long as it lasts.
    await expect.poll(() => service.counts.requests['GET /health'] ?? 0).toBeGreaterThanOrEqual(3);
    expect(service.counts.requests['GET /incidents'] ?? 0).toBe(0);

    await service.set({ incidentScope: true });
    await operator.incidents.getByRole('button', { name: /Check again/ }).click();
    await expect(operator.incidents.getByText('not-granted')).toHaveCount(0);
    await operator.expectIncidents(1712);
  });

  test(
    'a service that refuses its own tokens costs one login, says so, and is tried when the operator asks',
    { tag: '@packed' },
    async ({ operator, service }) => {
      await operator.expectIncidents(1712);
      service.resetCounts();
      await service.set({ fault: 'tokens-refused' });
      const notice = operator.page
        .getByRole('alert')
        .filter({ hasText: 'The service accepts your password but refuses its own tokens.' });
      await expect(notice.getByText(/tokens-refused · HTTP 401/)).toBeVisible();
      await expect(operator.connection).toHaveText(/^\s*Degraded/);
      expect(service.counts.logins).toBe(1);
      await operator.expectIncidents(1712);

      await service.set({ fault: 'none' });
      await notice.getByRole('button', { name: 'Try now' }).click();
      await expect(operator.connection).toHaveText(/^\s*Online/);
      await expect(notice).toHaveCount(0);
      expect(service.counts.logins).toBe(2);
    },
  );

  test('429 waits as long as the service asks, and says so', async ({ operator, service }) => {
    await operator.expectIncidents(1712);
    await service.set({ fault: 'too-many-requests' });
    await expect(operator.page.getByText('too-many-requests').first()).toBeVisible();
    await expect(operator.connection).toHaveText(/^\s*Degraded.*rate limited/);
    const { page } = operator;
    const data = page.getByRole('button', { name: 'Data status', exact: true });
    await expect(data).toContainText(/Rate limited, .+ old/);
    await expect(page.getByText(/^Rate limited\. Data as of/)).toBeVisible();
    await expect(page.getByText(/^Fresh, /)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Open integrations' }).getByText('stale')).toHaveCount(3);
    await service.set({ fault: 'none' });
    await expect(operator.connection).toHaveText(/^\s*Online/);
    await expect(data).toContainText(/Fresh, .+ old/);
    await operator.expectIncidents(1712);
  });

  test(
    'the service gone and back: said, kept on screen, live again without a restart',
    { tag: '@journey' },
    async ({ operator, service }) => {
      await operator.expectIncidents(1712);
      await service.set({ fault: 'refuse' });
      await expect(operator.connection).toHaveText(/^\s*Offline/);
      // As loud as a start without it.
      const notices = operator.page.getByRole('region', { name: 'Session notices' });
      await expect(notices.getByText(/^Offline, data as of/)).toBeVisible();
      await expect(operator.page.getByText('Live', { exact: true })).toHaveCount(0);
      await operator.expectIncidents(1712);
      service.addIncident({ id: 'while-away', location: { latitude: 3, longitude: 4, altitude: null } });
      await service.set({ fault: 'none' });
      await expect(operator.connection).toHaveText(/^\s*Online/);
      await operator.expectIncidents(1713);
      await expect(notices.getByText(/^Offline, data as of/)).toHaveCount(0);
      expect(service.counts.logins).toBe(1);
    },
  );
});

test.describe('a session that is renewed under load', () => {
  test.use({ serviceOptions: { switches: { tokenLifetimeSeconds: 66 } } });

  test('costs exactly one login', { tag: '@journey' }, async ({ operator, service }) => {
    await operator.expectIncidents(1712);
    // The margin of 60 s is reached about 6 s after the sign-in, on a slow machine before the list is read;
    // meanwhile the operator keeps asking.
    const refresh = operator.incidents.getByRole('button', { name: 'Refresh incidents' });
    await expect
      .poll(
        async () => {
          await refresh.click();
          return service.counts.logins;
        },
        { intervals: [100] },
      )
      .toBe(2);
    await readAgain(service);
    expect(service.counts.logins).toBe(2);
    await expect(operator.connection).toHaveText(/^\s*Online/);
  });
});

for (const days of [1, -1]) {
  test.describe(`the computer’s clock is off by ${days} day`, () => {
    test.use({ serviceOptions: { switches: { clockOffsetMs: days * 86_400_000 } } });

    test('one login, the same list, and a sentence in the status bar', async ({ operator, service }) => {
      await operator.expectIncidents(1712);
      await expect(
        operator.page.getByText(/clock .*(behind|ahead)|(behind|ahead) .*clock/i).first(),
      ).toBeVisible();
      await readAgain(service);
      expect(service.counts.logins).toBe(1);
    });
  });
}
