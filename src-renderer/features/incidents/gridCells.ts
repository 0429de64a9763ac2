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
import { count, shortMoment, shortSpan, type Zone } from '../../base/format.ts';
import { inverse } from '../../base/geodesy.ts';
import { severityWord, statusWord, typeWord } from '../../base/severities.ts';
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
  const { key, type, severity, status, createdAt, place } = ground.table.factsAt(row);
  const text = (said: string, more = ''): CellText => ({ text: said, more });
  switch (column.kind) {
    case 'severity':
      return text(severityWord(severity));
    case 'type':
      return text(typeWord(type));
    case 'status':
      return text(statusWord(status));
    case 'created':
      return text(shortMoment(createdAt, ground.now, ground.zone), shortSpan(ground.now - createdAt));
    case 'place':
      return text(
        place === null
          ? t('incidents.row.noLocation')
          : (ground.placeOf(key) ?? formatPosition(place, ground.coordinates, 'short')),
      );
    case 'distance':
    case 'bearing': {
      if (place === null || ground.station === null) return text('');
      const { metres, bearing } = inverse(ground.station, place);
      return text(column.kind === 'distance' ? lengthText(metres, ground.units) : bearingText(bearing));
    }
    case 'count': {
      const known = ground.table.countAt(column.of, row);
      return text(known === null ? t('words.unknown') : count(known));
    }
    case 'id':
      return text(ground.table.idAt(row));
  }
}
