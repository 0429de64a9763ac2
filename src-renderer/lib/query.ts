import type { IncidentQuery } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { locale } from './format.ts';

/** `high or critical`. */
const either = (values: readonly string[]): string =>
  new Intl.ListFormat(locale.value, { type: 'disjunction' }).format(values);

/** What narrows a query, as clauses for "Shown are only …"; empty when everything is shown. */
export function narrowing({ range, severities, statuses }: IncidentQuery): string[] {
  const clauses: string[] = [];
  if (range !== 'all') clauses.push(t(`incidents.narrowing.${range}`));
  if (severities.length > 0) clauses.push(t('incidents.narrowing.severity', { values: either(severities) }));
  if (statuses.length > 0) clauses.push(t('incidents.narrowing.status', { values: either(statuses) }));
  return clauses;
}
