/* eslint-disable words/literal-text -- English in every language: a file for other programs. */
import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts } from './exportFacts.ts';
import {
  ageText,
  completenessText,
  countsText,
  countText,
  factLines,
  instantText,
  trainingText,
} from './exportMessages.ts';
import { decimalText, fieldsOf, placeName, plainText } from './fields.ts';
import type { RowContext, TextFormat } from './textFormat.ts';
import { xmlComment, xmlDeclaration, xmlElement, xmlText } from './xml.ts';

const own = 'urn:field-console:export:1';

/** GPX 1.1, a waypoint for each incident. Incidents without a location are left out. */
export const gpxFormat: TextFormat = {
  mediaType: 'application/gpx+xml',
  head: (facts) =>
    [
      `${xmlDeclaration}<gpx version="1.1" creator="${xmlText(`Field Console ${facts.version}`)}"`,
      ` xmlns="http://www.topografix.com/GPX/1/1" xmlns:fc="${own}">\n<metadata>`,
      xmlElement('name', `${facts.deployment}${facts.training ? `: ${trainingText}` : ''}`),
      xmlElement('desc', description(facts)),
      timeOf(facts.madeAt),
      `<extensions>${factLines(facts)
        .map(([name, value]) => xmlElement(`fc:${name}`, value))
        .join('')}</extensions></metadata>\n`,
    ].join(''),
  row: (stored, _index, context) => waypointOf(stored, context),
  foot: ({ written, leftOut, gone }) =>
    `${xmlComment(
      `${countText(written)} written, ${countText(leftOut)} left out for want of a location, ` +
        `${countText(gone)} no longer known`,
    )}\n</gpx>\n`,
};

const description = (facts: ExportFacts): string =>
  [
    countsText(facts),
    ...(facts.withoutLocation > 0 ? ['Those without location are not in this file.'] : []),
    ageText(facts),
    completenessText(facts),
    `Filters: ${facts.filters}`,
  ].join('\n');

function timeOf(at: number): string {
  const text = instantText(at);
  return text === null ? '' : xmlElement('time', text);
}

const fields = fieldsOf('named', 'classes', 'place', 'records', 'seen', 'unreadable').filter(
  ({ inGpx }) => inGpx,
);

function waypointOf(stored: StoredIncident, context: RowContext): string | null {
  const { record } = stored;
  const { location } = record;
  if (location === null) return null;
  // The schema allows only longitudes below 180.
  const longitude = location.longitude === 180 ? -180 : location.longitude;
  return [
    `<wpt lat="${decimalText(location.latitude)}" lon="${decimalText(longitude)}">`,
    location.altitude === null ? '' : `<ele>${decimalText(location.altitude)}</ele>`,
    timeOf(record.createdAt),
    xmlElement('name', placeName(record)),
    xmlElement(
      'desc',
      `Severity ${record.severity || 'unknown'}, status ${record.status || 'unknown'}. ${record.id}`,
    ),
    xmlElement('type', record.incidentType),
    `<extensions>${fields
      .map(({ name, read }) => {
        const value = plainText(read(stored, context));
        return value === null ? '' : xmlElement(`fc:${name}`, value);
      })
      .join('')}</extensions></wpt>\n`,
  ].join('');
}
