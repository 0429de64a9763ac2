/* eslint-disable words/literal-text -- English in every language: markup. */
import { severitiesWorstFirst, type SeverityName } from '../../../../src-preload/contract/index.ts';
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

/** How paper and files show a severity: by its shape first, as on the screen. */
interface DrawnSeverity {
  /** SVG path data in a 24 x 24 box, the same as the page's. */
  readonly path: string;
  /** `RRGGBB` in hexadecimal. */
  readonly colour: string;
}

export const drawnSeverities: Readonly<Record<SeverityName, DrawnSeverity>> = {
  critical: {
    path: 'M7.86 2h8.28L22 7.86v8.28L16.14 22H7.86L2 16.14V7.86Z',
    colour: '960624',
  },
  high: {
    path: 'M10.7 2.75a1.5 1.5 0 0 1 2.6 0l9.2 16.5A1.5 1.5 0 0 1 21.2 21.5H2.8a1.5 1.5 0 0 1-1.3-2.25Z',
    colour: 'bd4200',
  },
  medium: {
    path: 'M10.94 1.94a1.5 1.5 0 0 1 2.12 0l9 9a1.5 1.5 0 0 1 0 2.12l-9 9a1.5 1.5 0 0 1-2.12 0l-9-9a1.5 1.5 0 0 1 0-2.12Z',
    colour: 'b67d00',
  },
  low: {
    path: 'M12 4a8 8 0 1 1 0 16a8 8 0 1 1 0-16Z',
    colour: '0b6ccb',
  },
  unknown: {
    path: 'M4 2.4h16a1.6 1.6 0 0 1 1.6 1.6v16a1.6 1.6 0 0 1-1.6 1.6h-16a1.6 1.6 0 0 1-1.6-1.6v-16a1.6 1.6 0 0 1 1.6-1.6ZM7.1 9.2H9.7A2.3 2.3 0 1 1 12 11.5H10.7V15H13.3V13.92A4.9 4.9 0 1 0 7.1 9.2ZM12 16.3a1.65 1.65 0 1 0 0 3.3a1.65 1.65 0 1 0 0-3.3Z',
    colour: '17191c',
  },
};

/**
 * KML 2.2 (OGC 07-147r2). One style for each severity; an incident's fields are in `ExtendedData`. An incident without
 * a location is a placemark without geometry.
 *
 * A globe reads what a balloon shows as HTML, which may load pictures from anywhere. So the balloon shows the
 * description alone, whose values are escaped as HTML too.
 */
export const kmlFormat: TextFormat = {
  mediaType: 'application/vnd.google-earth.kml+xml',
  head: (facts) =>
    [
      `${xmlDeclaration}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>`,
      xmlElement('name', documentName(facts)),
      xmlElement('description', htmlLines(description(facts))),
      ...severitiesWorstFirst.map(styleOf),
      `<ExtendedData>${factLines(facts).map(dataOf).join('')}</ExtendedData>\n`,
    ].join('\n'),
  row: (stored, _index, context) => `${placemarkOf(stored, context)}\n`,
  foot: ({ written, gone }) =>
    `${xmlComment(`${countText(written)} written, ${countText(gone)} no longer known`)}\n</Document></kml>\n`,
};

const documentName = ({ deployment, training }: ExportFacts): string =>
  [deployment || 'Incidents', ...(training ? [trainingText] : [])].join(': ');

const description = (facts: ExportFacts): readonly string[] => [
  countsText(facts),
  ageText(facts),
  completenessText(facts),
  `Filters: ${facts.filters}`,
];

const htmlLines = (lines: readonly string[]): string => lines.map(xmlText).join('<br>');

/** KML writes colours in reverse order: opacity, blue, green, red. */
function styleOf(name: SeverityName): string {
  const [red, green, blue] = drawnSeverities[name].colour.match(/../g) ?? [];
  const icon = `<IconStyle><color>ff${blue}${green}${red}</color></IconStyle>`;
  return `<Style id="${name}">${icon}<BalloonStyle><text>$[description]</text></BalloonStyle></Style>`;
}

const dataOf = ([name, value]: readonly [string, string]): string =>
  `<Data name="${xmlText(name)}">${xmlElement('value', value)}</Data>`;

const fields = fieldsOf('named', 'classes', 'place', 'created', 'records', 'altitude', 'seen', 'unreadable');

function placemarkOf(stored: StoredIncident, context: RowContext): string {
  const { record } = stored;
  const { location } = record;
  const severity = context.scale.classOf(record.severity);
  const createdAt = instantText(record.createdAt);
  const data = [
    ...fields.flatMap(({ name, read }) => {
      const value = plainText(read(stored, context));
      return value === null ? [] : [[name, value] as const];
    }),
    ...record.otherFields.map(({ name, json }) => [name, json] as const),
  ];
  return [
    '<Placemark>',
    xmlElement('name', placeName(record)),
    xmlElement('description', htmlLines(data.map((pair) => pair.join(': ')))),
    createdAt === null ? '' : `<TimeStamp>${xmlElement('when', createdAt)}</TimeStamp>`,
    `<styleUrl>#${severity.mark}</styleUrl>`,
    `<ExtendedData>${data.map(dataOf).join('')}</ExtendedData>`,
    location === null
      ? ''
      : `<Point><coordinates>${decimalText(location.longitude)},${decimalText(location.latitude)}</coordinates></Point>`,
    '</Placemark>',
  ].join('');
}
