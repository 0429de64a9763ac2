import {
  listColumns,
  type ColumnName,
  type CoordinateFormat,
  type LengthUnits,
  type ListColumn,
  type Position,
} from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import type { IncidentTable } from '../../table/table.ts';
import { formatPosition } from '../../base/coordinates/index.ts';
import { count, headed, shortMoment, shortSpan, type Zone } from '../../base/format.ts';
import { inverse } from '../../base/geodesy.ts';
import { severityWord, statusWord } from '../../base/severities.ts';
import { bearingText, lengthText } from '../../base/units.ts';

/** What the cells of a table of incidents are written from, and in which formats. */
interface CellGround {
  readonly table: IncidentTable;
  /** Server time. */
  readonly now: number;
  readonly zone: Zone;
  readonly coordinates: CoordinateFormat;
  readonly units: LengthUnits;
  /** Where range and bearing are counted from; null for nowhere. */
  readonly station: Position | null;
  /** Where an incident is, in words; null where they cannot be had. */
  readonly placeOf: (key: number) => string | null;
}

interface CellText {
  readonly text: string;
  /** A second, quieter part. */
  readonly more: string;
}

/** One named column of one row of the table. */
export const cellOf = (
  name: ColumnName,
  row: number,
  ground: CellGround,
): CellText & { readonly name: ColumnName } => ({ name, ...cellText(listColumns[name], row, ground) });

/** A column of one row of the table, in words; empty where there is nothing to say. */
export function cellText(column: ListColumn, row: number, ground: CellGround): CellText {
  const { columns, dictionaries } = ground.table;
  const [latitude, longitude] = [columns.latitude[row] ?? NaN, columns.longitude[row] ?? NaN];
  const located = !Number.isNaN(latitude);
  const text = (said: string, more = ''): CellText => ({ text: said, more });
  switch (column.kind) {
    case 'severity':
      return text(
        severityWord(dictionaries.severity[columns.severity[row] ?? 0] ?? '') || t('views.none.severity'),
      );
    case 'type':
      return text(headed(dictionaries.type[columns.type[row] ?? 0] ?? '') || t('views.none.type'));
    case 'status':
      return text(statusWord(dictionaries.status[columns.status[row] ?? 0] ?? '') || t('views.none.status'));
    case 'created': {
      const at = columns.createdAt[row] ?? 0;
      return text(shortMoment(at, ground.now, ground.zone), shortSpan(ground.now - at));
    }
    case 'place':
      return text(
        located
          ? (ground.placeOf(columns.key[row] ?? 0) ??
              formatPosition({ latitude, longitude }, ground.coordinates, 'short'))
          : t('incidents.row.noLocation'),
      );
    case 'distance':
    case 'bearing': {
      if (!located || ground.station === null) return text('');
      const { metres, bearing } = inverse(ground.station, { latitude, longitude });
      return text(column.kind === 'distance' ? lengthText(metres, ground.units) : bearingText(bearing));
    }
    case 'count':
      return text(count(columns[column.of][row] ?? 0));
    case 'id':
      return text(ground.table.idAt(row));
  }
}
