import type { CheckFinding, CheckFindingId, CheckReport } from '../../../src-preload/contract/index.ts';
import { count, dateTime, type Zone } from '../../base/format.ts';
import { t, type MessageKey } from '../../i18n/index.ts';
import { findingFacts, findingHow, findingReason, findingTitle, outcomeName } from './findingText.ts';

type GroupName = 'connection' | 'incidents' | 'others' | 'untried';

export interface FindingGroup {
  readonly name: GroupName;
  readonly title: string;
  readonly findings: readonly CheckFinding[];
}

function groupOf({ id, outcome }: CheckFinding): GroupName {
  if (outcome === 'not-tried') return 'untried';
  if (id === 'incidents' || id.startsWith('incidents.')) return 'incidents';
  const others: readonly CheckFindingId[] = ['evidence', 'pendingMissions', 'events', 'positions'];
  return others.includes(id) ? 'others' : 'connection';
}

/** The findings under the headings of the report; a heading with none is left out. */
export const groupsOf = ({ findings }: CheckReport): readonly FindingGroup[] =>
  (['connection', 'incidents', 'others', 'untried'] as const)
    .map((name) => ({
      name,
      title: t(`deploymentCheck.groups.${name}`),
      findings: findings.filter((finding) => groupOf(finding) === name),
    }))
    .filter((group) => group.findings.length > 0);

const stops = {
  budget: 'deploymentCheck.stopped.budget',
  'token-refused': 'deploymentCheck.stopped.tokenRefused',
  cancelled: 'deploymentCheck.stopped.cancelled',
} as const satisfies Record<NonNullable<CheckReport['stopped']>, MessageKey>;

/** Whether an operator could sign in and the check ran to its end. */
export const isWhole = ({ stopped, findings }: CheckReport): boolean =>
  stopped === null && findings.some(({ id, outcome }) => id === 'login' && outcome === 'seen');

/** What the check came to, in a sentence. */
export function endText(report: CheckReport): string {
  if (report.stopped !== null) return t(stops[report.stopped]);
  return t(isWhole(report) ? 'deploymentCheck.done' : 'deploymentCheck.stopped.notSignedIn');
}

/** How the check went, as names and values. */
export const checkFacts = (
  { checkedAt, requests, logins, deployment }: CheckReport,
  zone: Zone,
): readonly { readonly name: string; readonly value: string; readonly mono: boolean }[] => [
  { name: t('diagnostics.api.infrastructure'), value: deployment.infrastructureUrl, mono: true },
  { name: t('diagnostics.api.coordination'), value: deployment.coordinationUrl, mono: true },
  { name: t('deploymentCheck.facts.at'), value: dateTime(checkedAt, zone), mono: false },
  { name: t('deploymentCheck.facts.requests'), value: count(requests), mono: false },
  { name: t('deploymentCheck.facts.logins'), value: count(logins), mono: false },
];

const factLine = ({ name, value }: { readonly name: string; readonly value: string }): string =>
  `${name}: ${value}`;

/** The report as text in the page's language, for a message to the deployment's administrator. */
export function reportText(report: CheckReport, zone: Zone): string {
  const head = [t('deploymentCheck.report'), ...checkFacts(report, zone).map(factLine), endText(report)];
  const groups = groupsOf(report).map(({ title, findings }) =>
    [title, ...findings.flatMap((finding) => findingLines(finding, zone))].join('\n'),
  );
  return [head.join('\n'), ...groups].join('\n\n');
}

function findingLines(finding: CheckFinding, zone: Zone): string[] {
  const { id, outcome } = finding;
  const more = [
    ...findingFacts(finding, zone).map(factLine),
    ...[findingReason(finding) ?? [], findingHow(finding) ?? []].flat(),
  ];
  return [`  ${findingTitle(id)} · ${outcomeName(outcome)}`, ...more.map((line) => `    ${line}`)];
}
