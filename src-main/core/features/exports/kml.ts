/* eslint-disable words/literal-text -- English in every language: markup. */
import { severitiesWorstFirst, type SeverityName } from '../../../../src-preload/contract/index.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';
import { decimalText } from './decimal.ts';
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
import { fieldsOf, plainText } from './fields.ts';
import { drawnSeverities } from './severities.ts';
import type { RowContext, TextFormat } from './textFormat.ts';
import { xmlComment, xmlDeclaration, xmlElement, xmlText } from './xml.ts';

/**
 * KML 2.2 (OGC 07-147r2). One style for each severity; what is known of an incident in `ExtendedData`. An
 * incident without location is a placemark without geometry.
 */
export const kmlFormat: TextFormat = {
  mediaType: 'application/vnd.google-earth.kml+xml',
  head: (facts) =>
    [
      `${xmlDeclaration}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>`,
      xmlElement('name', documentName(facts)),
      xmlElement('description', description(facts)),
      ...severitiesWorstFirst.map(styleOf),
      `<ExtendedData>${factLines(facts).map(dataOf).join('')}</ExtendedData>\n`,
    ].join('\n'),
  row: (stored, _index, context) => `${placemarkOf(stored, context)}\n`,
  foot: ({ written, gone }) =>
    `${xmlComment(`${countText(written)} written, ${countText(gone)} no longer known`)}\n</Document></kml>\n`,
};

const documentName = ({ deployment, training }: ExportFacts): string =>
  [deployment || 'Incidents', ...(training ? [trainingText] : [])].join(': ');

const description = (facts: ExportFacts): string =>
  [countsText(facts), ageText(facts), completenessText(facts), `Filters: ${facts.filters}`].join('\n');

/** KML writes colours from behind: opacity, blue, green, red. */
function styleOf(name: SeverityName): string {
  const [red, green, blue] = drawnSeverities[name].colour.match(/../g) ?? [];
  return `<Style id="${name}"><IconStyle><color>ff${blue}${green}${red}</color></IconStyle></Style>`;
}

const dataOf = ([name, value]: readonly [string, string]): string =>
  `<Data name="${xmlText(name)}">${xmlElement('value', value)}</Data>`;

const fields = fieldsOf('named', 'classes', 'place', 'created', 'records', 'altitude', 'seen');

function placemarkOf(stored: StoredIncident, context: RowContext): string {
  const { record } = stored;
  const { location } = record;
  const severity = context.scale.classOf(record.severity);
  const createdAt = instantText(record.createdAt);
  const data = [
    ...fields.flatMap(({ name, read }) => {
      const value = plainText(read(stored, context));
      return value === null ? [] : [dataOf([name, value])];
    }),
    ...record.otherFields.map(({ name, json }) => dataOf([name, json])),
  ];
  return [
    '<Placemark>',
    xmlElement('name', `${record.incidentType} (${record.severity})`),
    createdAt === null ? '' : `<TimeStamp>${xmlElement('when', createdAt)}</TimeStamp>`,
    `<styleUrl>#${severity.mark}</styleUrl>`,
    `<ExtendedData>${data.join('')}</ExtendedData>`,
    location === null
      ? ''
      : `<Point><coordinates>${decimalText(location.longitude)},${decimalText(location.latitude)}</coordinates></Point>`,
    '</Placemark>',
  ].join('');
}
