import type { IncidentQuery } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { either, inLine } from './format.ts';

const anyOf = (values: readonly string[]): string =>
  either(values.map((value) => inLine(value) || t('incidents.filters.emptyValue')));

/** What narrows a query, as clauses for "Shown are only …"; empty when everything is shown. */
export function narrowing({ range, severities, statuses }: IncidentQuery): string[] {
  const clauses: string[] = [];
  if (range !== 'all') clauses.push(t(`incidents.narrowing.${range}`));
  if (severities.length > 0) clauses.push(t('incidents.narrowing.severity', { values: anyOf(severities) }));
  if (statuses.length > 0) clauses.push(t('incidents.narrowing.status', { values: anyOf(statuses) }));
  return clauses;
}
