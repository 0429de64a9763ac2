import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts } from './exportFacts.ts';
import { factLines } from './exportMessages.ts';
import { fieldsOf, plainText, type FieldValue } from './fields.ts';
import type { ExportTally, RowContext, TextFormat } from './textFormat.ts';

/**
 * RFC 7946: WGS 84, longitude before latitude. A position has two numbers: a third would be the height above the
 * ellipsoid, but the service counts from sea level, so `altitude` is a property. Facts about the file are foreign
 * members: `field_console` before the features, `field_console_end` after them.
 */
export const geojsonFormat: TextFormat = {
  mediaType: 'application/geo+json',
  head: (facts) => `{"type":"FeatureCollection","field_console":${json(aboutOf(facts))},"features":[`,
  row: (stored, index, context) => `${index === 0 ? '\n' : ',\n'}${json(featureOf(stored, context))}`,
  foot: (tally) => `\n],"field_console_end":${json(endOf(tally))}}\n`,
};

/** Strict readers refuse a file with half of a surrogate pair. */
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

const fields = fieldsOf('named', 'classes', 'created', 'records', 'altitude', 'place', 'seen', 'unreadable');

function featureOf(stored: StoredIncident, context: RowContext): object {
  const { id, location, otherFields } = stored.record;
  return {
    type: 'Feature',
    id,
    geometry: location && { type: 'Point', coordinates: [location.longitude, location.latitude] },
    properties: {
      ...Object.fromEntries(fields.map(({ name, read }) => [name, propertyOf(read(stored, context))])),
      // As the service's text: one that was cut is no longer JSON.
      other_fields: Object.fromEntries(otherFields.map(({ name, json: text }) => [wellFormed(name), text])),
    },
  };
}

const propertyOf = (field: FieldValue): unknown =>
  field.kind === 'instant' ? plainText(field) : field.value;

const wellFormed = (text: string): string => text.toWellFormed();
