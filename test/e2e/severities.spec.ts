import { expect, test, type OpenedConsole } from './support/fixtures.ts';
import { violations } from './support/violations.ts';

/** As a service writes them that has no rule for it. The 1,707 real incidents hold 5 more that are `critical`. */
const spellings = ['CRITICAL', 'CRITICAL', 'Critical', ' critical ', 'extreme'];
const criticals = spellings.length + 5;
/** The first of them is closed, and so are the 5. */
const openCriticals = spellings.length - 1;

const timelineOf = async ({ page }: OpenedConsole) => {
  await page.getByRole('button', { name: 'Show the timeline' }).click();
  return page.getByRole('region', { name: 'Incidents over time' });
};

test.describe('severities in many spellings', () => {
  test.use({ serviceOptions: { withoutLocation: 0 } });

  test(
    'are one entry with one number in filter, timeline, alarm, search and list',
    { tag: '@map' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      for (const [at, severity] of spellings.entries())
        service.addIncident({ id: `spelled-${at}`, severity, status: at === 0 ? 'CLOSED' : 'Open' });
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1712);
      await expect(page.getByRole('region', { name: 'Alarm banner' })).toContainText(
        new RegExp(`\\d active incidents raise an alarm, ${openCriticals} of them critical\\.`),
      );

      await operator.incidents.getByRole('button', { name: /^Severity/ }).click();
      const entries = page.getByRole('checkbox');
      await expect(entries).toHaveText([`Critical${criticals}`, /^High/, /^Medium/, /^Low/]);
      expect(await violations(page), 'the filter').toEqual([]);
      await page.keyboard.press('Escape');
      await operator.incidents.getByRole('button', { name: /^Status/ }).click();
      await expect(entries).toHaveText([/^Open/, /^Resolved/], { useInnerText: true });
      await page.keyboard.press('Escape');

      const timeline = await timelineOf(opened);
      await expect(timeline.getByRole('listitem').filter({ hasText: 'Critical' })).toContainText(
        String(criticals),
      );

      await operator.filter('Severity', 'Critical');
      await operator.expectIncidents(criticals);
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', String(criticals));
      await operator.clearFilters();
      await page.keyboard.press('/');
      await operator.incidents.getByRole('combobox').first().fill('severity:critical');
      await operator.expectIncidents(criticals);

      // The service's own spelling stands where one looks for it.
      await operator.incidents
        .getByRole('option', { name: /Critical/ })
        .first()
        .click();
      await expect(operator.details.getByText('extreme', { exact: true })).toBeVisible();
      await expect(operator.details.getByText('counts as critical')).toBeVisible();
    },
  );

  test('one without a rank stands beside critical and says why', async ({ opened, service }) => {
    const { page, operator } = opened;
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1707);
    service.addIncident({ id: 'unheard-of', severity: 'catastrophic' });
    await operator.expectIncidents(1708);
    const banner = page.getByRole('region', { name: 'Alarm banner' });
    await expect(banner).toContainText(/catastrophic: /);
    expect(await violations(page), 'the banner').toEqual([]);
    await operator.incidents.getByRole('button', { name: /^Sort/ }).click();
    await page.getByRole('dialog').getByText('Severity', { exact: true }).click();
    const first = operator.incidents.getByRole('option').first();
    await expect(first).toContainText('catastrophic');
    await first.click();
    await expect(operator.details.getByText(/has no rank, so it counts with critical/)).toBeVisible();
    expect(await violations(page), 'the details').toEqual([]);
  });
});

test.describe('a ranking in the deployment file', () => {
  test.use({
    serviceOptions: { withoutLocation: 0 },
    deployment: { severities: ['catastrophic', { name: 'critical', synonyms: ['sev 1'] }] },
  });

  test('gives a severity its place and its mark', async ({ opened, service }) => {
    const { page, operator } = opened;
    service.addIncident({ id: 'ranked-1', severity: 'Catastrophic' });
    service.addIncident({ id: 'ranked-2', severity: 'SEV-1' });
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1709);
    await operator.incidents.getByRole('button', { name: /^Severity/ }).click();
    await expect(page.getByRole('checkbox')).toHaveText([
      'Catastrophic1',
      'Critical6',
      /^High/,
      /^Medium/,
      /^Low/,
    ]);
    await page.keyboard.press('Escape');
    const timeline = await timelineOf(opened);
    await expect(
      timeline.getByRole('listitem').filter({ hasText: 'Catastrophic or Critical' }),
    ).toContainText('7');
    await operator.filter('Severity', 'catastrophic');
    await operator.expectIncidents(1);
    await operator.incidents.getByRole('option').first().click();
    await expect(operator.details.getByText(/has no rank/)).toHaveCount(0);
  });
});
