import { openStatuses, typeWord } from '../../base/severities.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { t } from '../../i18n/index.ts';
import { useNearby } from './nearbyStore.ts';

/** What and where an incident is, as a person calls it. */
export interface NamedIncidentFacts {
  readonly severity: string;
  readonly over: boolean;
  readonly type: string;
  readonly place: string;
}

/** Null where the console doesn't know the incident. A computed value that reads it follows the table and the places. */
export function namedIncident(incidentId: string): NamedIncidentFacts | null {
  const mirror = useMirror();
  void mirror.tableRevision;
  const row = mirror.table.indexOfId(incidentId);
  if (row < 0) return null;
  const { key, type, severity, status, place } = mirror.table.factsAt(row);
  return {
    severity,
    over: !openStatuses.value(status),
    type: typeWord(type),
    place:
      place === null ? t('incidents.row.noLocation') : useNearby().text(key, place.latitude, place.longitude),
  };
}
