import { foldWord, statusClassOf, type IncidentQuery } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';
import { either, inLine } from './format.ts';
import { severityScale } from './severities.ts';

/** Spellings of one type count as one, as with statuses. */
export const typeClassOf = (text: string) => ({ key: foldWord(text), name: text.trim() });

type ClassOf = (text: string) => { readonly key: string; readonly name: string };

/** Each class once, in whatever spellings it was chosen. */
function anyOf(values: readonly string[], classOf: ClassOf): string {
  const names = new Map(values.map(classOf).map(({ key, name }) => [key, name]));
  return either([...names.values()].map(inLineOrUnknown));
}

/** A severity, status or type behind its label. */
export const inLineOrUnknown = (name: string): string => inLine(name) || t('words.inLine.unknown');

/** What a query without filters has. Whether it asks for what is open alone is another choice. */
export const unfiltered: Omit<IncidentQuery, 'openOnly'> = {
  range: 'all',
  severities: [],
  statuses: [],
  types: [],
};

/** Whether filters narrow a query, beside what is open. */
export const isFiltered = ({
  range,
  severities,
  statuses,
  types,
}: Omit<IncidentQuery, 'openOnly'>): boolean =>
  range !== 'all' || severities.length + statuses.length + types.length > 0;

/** What narrows a query, as clauses for "Shown are only …"; empty when everything is shown. */
export function narrowing({ range, severities, statuses, types, openOnly }: IncidentQuery): string[] {
  const clauses: string[] = openOnly ? [t('incidents.narrowing.open')] : [];
  if (range !== 'all') clauses.push(t(`incidents.narrowing.${range}`));
  if (severities.length > 0) {
    const values = anyOf(severities, severityScale.value.classOf);
    clauses.push(t('incidents.narrowing.severity', { values }));
  }
  if (statuses.length > 0) {
    clauses.push(t('incidents.narrowing.status', { values: anyOf(statuses, statusClassOf) }));
  }
  if (types.length > 0) {
    clauses.push(
      t('incidents.narrowing.type', {
        values: anyOf(types, typeClassOf),
      }),
    );
  }
  return clauses;
}
