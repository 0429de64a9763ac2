import type {
  CoordinateFormat,
  IncidentsMeta,
  Position,
  SeverityName,
} from '../../src-preload/contract/index.ts';
import { count, type Zone } from '../base/format.ts';
import { t } from '../i18n/index.ts';
import type { PaperSize } from './paper.ts';
import type { PaperTimes } from './paperTime.ts';

/** What the list on a sheet says of an incident. */
export interface SheetRow {
  readonly id: string;
  readonly severity: string;
  readonly mark: SeverityName;
  readonly incidentType: string;
  readonly status: string;
  /** Unix milliseconds. */
  /** Unix ms, NaN where unknown. */
  readonly createdAt: number;
  readonly place: Position | null;
  /** Where it is, as seen from the nearest town; null where that is not known. */
  readonly near: string | null;
  readonly notReturned: boolean;
}

/**
 * All that stands on a sheet: whose it is, how old and how complete the data behind it is, the map, the counts of all
 * incidents that were chosen, and a list of the first of them. Times are server time, Unix milliseconds.
 */
export interface Sheet {
  readonly size: PaperSize;
  readonly zone: Zone;
  readonly deployment: string;
  readonly account: string;
  /** The data are practice data of the embedded service. */
  readonly training: boolean;
  readonly madeAt: number;
  /** When the service was read last; null if it never was. */
  readonly dataAsOf: number | null;
  readonly completeness: IncidentsMeta['completeness'];
  readonly completeAsOf: number | null;
  /** How many incidents the console holds, whatever the filters. */
  readonly held: number;
  readonly uncertainWindows: number;
  /** In the operator's words. */
  readonly filters: string;
  readonly incidents: number;
  readonly withoutLocation: number;
  readonly notReturned: number;
  /** By the mark of their severity. */
  readonly severities: Readonly<Record<SeverityName, number>>;
  /** In which places are written beside decimal degrees. */
  readonly coordinates: Exclude<CoordinateFormat, 'dd'>;
  /** The map as a `data:` address; null where it could not be drawn. */
  readonly picture: string | null;
  readonly rows: readonly SheetRow[];
}

const minute = 60_000;

/** How old the data were when the sheet was made. */
export function ageText({ dataAsOf, madeAt }: Sheet, { instant }: PaperTimes): string {
  if (dataAsOf === null) return t('core.sheet.ageUnknown');
  const time = instant(dataAsOf);
  const minutes = Math.floor(Math.max(0, madeAt - dataAsOf) / minute);
  if (minutes < 1) return t('core.sheet.ageMoment', { time });
  return minutes < 120
    ? t('core.sheet.ageMinutes', { time }, minutes)
    : t('core.sheet.ageHours', { time }, Math.floor(minutes / 60));
}

/**
 * How much of what exists the console knew, in whole sentences. They speak of all incidents, not only of those that were
 * filtered.
 */
export function completenessTexts(sheet: Sheet, { instant }: PaperTimes): string[] {
  const { completeness, completeAsOf, held, uncertainWindows } = sheet;
  switch (completeness) {
    case 'complete':
      return [
        completeAsOf === null
          ? t('core.sheet.complete')
          : t('core.sheet.completeAsOf', { time: instant(completeAsOf) }),
      ];
    case 'at-least':
      return [
        t('core.sheet.atLeast', {}, held),
        ...(uncertainWindows > 0 ? [t('core.sheet.windows', {}, uncertainWindows)] : []),
      ];
    case 'unknown':
      return [t('core.sheet.unknown')];
  }
}

/** What was counted: `12 incidents, 2 without location, 1 no longer returned by the service.` */
export const countsText = ({ incidents, withoutLocation, notReturned }: Sheet): string =>
  t('core.sheet.counts', { unlocated: count(withoutLocation), gone: count(notReturned) }, incidents);

/** What stands under the list; empty where it holds all. */
export function restText({ incidents, rows }: Sheet): string {
  if (incidents === 0) return t('print.sheet.empty');
  const left = incidents - rows.length;
  return left > 0 ? t('print.sheet.leftOut', { most: count(rows.length) }, left) : '';
}
