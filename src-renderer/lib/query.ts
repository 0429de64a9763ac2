import { statusClassOf, type IncidentQuery } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { either, inLine } from './format.ts';
import { severityScale } from './severities.ts';

type ClassOf = (text: string) => { readonly key: string; readonly name: string };

/** Each class once, in whatever spellings it was chosen. */
function anyOf(values: readonly string[], classOf: ClassOf): string {
  const names = new Map(values.map(classOf).map(({ key, name }) => [key, name]));
  return either([...names.values()].map((name) => inLine(name) || t('incidents.filters.emptyValue')));
}

/** What narrows a query, as clauses for "Shown are only …"; empty when everything is shown. */
export function narrowing({ range, severities, statuses }: IncidentQuery): string[] {
  const clauses: string[] = [];
  if (range !== 'all') clauses.push(t(`incidents.narrowing.${range}`));
  if (severities.length > 0) {
    const values = anyOf(severities, severityScale.value.classOf);
    clauses.push(t('incidents.narrowing.severity', { values }));
  }
  if (statuses.length > 0) {
    clauses.push(t('incidents.narrowing.status', { values: anyOf(statuses, statusClassOf) }));
  }
  return clauses;
}
