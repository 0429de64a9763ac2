import { statusClassOf } from '../../../../src-preload/contract/index.ts';
import { messageOfPlace } from '../../base/places/placeMessages.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts } from './exportFacts.ts';
import { factLines, instantText } from './exportMessages.ts';
import type { ExportTally, RowContext, TextFormat } from './textFormat.ts';

/**
 * RFC 7946: WGS 84, longitude before latitude. A place has two numbers: the third would be a height over the
 * ellipsoid, and the service speaks of sea level, so that `altitude` is a property. What the file says of
 * itself are foreign members: `field_console` before the features, `field_console_end` after them.
 */
export const geojsonFormat: TextFormat = {
  mediaType: 'application/geo+json',
  head: (facts) => `{"type":"FeatureCollection","field_console":${json(aboutOf(facts))},"features":[`,
  row: (stored, index, context) => `${index === 0 ? '\n' : ',\n'}${json(featureOf(stored, context))}`,
  foot: (tally) => `\n],"field_console_end":${json(endOf(tally))}}\n`,
};

/** A lone half of a character is no text, and the strictest readers refuse the file for it. */
const json = (value: object): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' && !member.isWellFormed() ? member.toWellFormed() : member,
  );

const aboutOf = (facts: ExportFacts): object => ({
  ...Object.fromEntries(factLines(facts)),
  complete: facts.completeness === 'complete',
  incidents: facts.incidents,
  without_location: facts.withoutLocation,
  no_longer_returned: facts.notReturned,
  uncertain_windows: facts.uncertainWindows,
});

const endOf = ({ written, gone }: ExportTally): object => ({ written, no_longer_known: gone });

function featureOf(
  { record, firstSeenAt, lastSeenAt, notReturnedSince }: StoredIncident,
  { scale, towns }: RowContext,
): object {
  const { location } = record;
  return {
    type: 'Feature',
    id: record.id,
    geometry: location && { type: 'Point', coordinates: [location.longitude, location.latitude] },
    properties: {
      id: record.id,
      incident_type: record.incidentType,
      severity: record.severity,
      status: record.status,
      // What the console counts them as, beside the service's own spellings.
      severity_class: scale.classOf(record.severity).name,
      status_class: statusClassOf(record.status).name,
      created_at: record.createdAtText,
      evidence_count: record.evidenceCount,
      blockchain_records: record.blockchainRecords,
      altitude: location?.altitude ?? null,
      place: location && messageOfPlace(towns.nearest(location)).text,
      first_seen_at: instantText(firstSeenAt),
      last_seen_at: instantText(lastSeenAt),
      not_returned_since: notReturnedSince === null ? null : instantText(notReturnedSince),
      // As the text that the service sent: it may have been cut, and is then no JSON any more.
      other_fields: Object.fromEntries(
        record.otherFields.map(({ name, json: text }) => [wellFormed(name), text]),
      ),
    },
  };
}

const wellFormed = (text: string): string => text.toWellFormed();
