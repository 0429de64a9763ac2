import { t } from '../../i18n/index.ts';
import type { IncidentTable } from '../../table/table.ts';
import { formatPosition } from '../../base/coordinates/index.ts';
import { headed, moment } from '../../base/format.ts';
import { severityInLine } from '../../base/severities.ts';

/** Opens an incident in a console that knows it. */
export const linkTo = (id: string): string => `field-console://incident/${encodeURIComponent(id)}`;

const onOneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/**
 * One incident in one line for radio or chat: type, severity, place, MGRS, time in UTC, id. Line breaks of the service
 * become blanks: a message of another shape could be taken for two.
 *
 * @param name the place in words; without it the message has decimal degrees.
 */
export function messageOf(table: IncidentTable, row: number, name: string | null): string {
  const { columns, dictionaries } = table;
  const position = { latitude: columns.latitude[row] ?? NaN, longitude: columns.longitude[row] ?? NaN };
  const place = Number.isNaN(position.latitude)
    ? [t('incidents.row.noLocation')]
    : [name || formatPosition(position, 'dd'), formatPosition(position, 'mgrs')];
  return [
    headed(onOneLine(dictionaries.type[columns.type[row] ?? 0] ?? '')) || t('incidents.row.noType'),
    severityInLine(dictionaries.severity[columns.severity[row] ?? 0] ?? '') || t('incidents.row.noSeverity'),
    ...place,
    moment(columns.createdAt[row] ?? 0, 'utc'),
    table.idAt(row),
  ]
    .map(onOneLine)
    .join(', ');
}
