import type { IncidentQuery, Range } from '../../src-preload/contract/index.ts';

const rangeWords: Readonly<Record<Range, string | null>> = {
  '1h': 'the last hour',
  '6h': 'the last 6 hours',
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  all: null,
};

/** What narrows a query, as clauses for "Shown are only …"; empty when everything is shown. */
export function narrowing({ range, severities, statuses }: IncidentQuery): string[] {
  const clauses: string[] = [];
  const span = rangeWords[range];
  if (span !== null) clauses.push(span);
  if (severities.length > 0) clauses.push(`severity ${severities.join(' or ')}`);
  if (statuses.length > 0) clauses.push(`status ${statuses.join(' or ')}`);
  return clauses;
}
