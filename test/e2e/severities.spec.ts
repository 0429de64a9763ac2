import { expect, test, type OpenedConsole } from './support/fixtures.ts';
import type { Operator } from './support/operator.ts';
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

/** The chips of the severities, by their names, the worst first. */
async function expectChips({ incidents }: Operator, names: readonly (string | RegExp)[]): Promise<void> {
  const chips = incidents.getByRole('group', { name: 'Active incidents by severity' }).getByRole('button');
  await expect(chips).toHaveCount(names.length);
  for (const [at, name] of names.entries()) await expect(chips.nth(at)).toHaveAccessibleName(name);
}

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
        new RegExp(`\\d active incidents need attention, ${openCriticals} of them critical\\.`),
      );

      await expectChips(operator, [`Critical ${openCriticals}`, /^High \d/, /^Medium \d/, /^Low \d/]);
      await operator.incidents.getByRole('button', { name: /^Filter/ }).click();
      const statuses = page.getByRole('group', { name: 'Status' }).getByRole('checkbox');
      await expect(statuses).toHaveText([/^Open/, /^Resolved/], { useInnerText: true });
      expect(await violations(page), 'the filter').toEqual([]);
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
    const { operator } = opened;
    service.addIncident({ id: 'ranked-1', severity: 'Catastrophic' });
    service.addIncident({ id: 'ranked-2', severity: 'SEV-1' });
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1709);
    await expectChips(operator, ['Catastrophic 1', /^Critical \d/, /^High \d/, /^Medium \d/, /^Low \d/]);
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
