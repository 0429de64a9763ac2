import type { ExpressionSpecification, LayerSpecification, Map as GlMap } from 'maplibre-gl';

type Expression = ExpressionSpecification;

/** How large names are, in pixels at zooms; between them it is interpolated. */
export interface LabelSize {
  /** Of the interpolation: 1 is linear. */
  readonly base: number;
  readonly stops: readonly (readonly [zoom: number, size: number | Expression])[];
}

export const constantSize = (size: number): LabelSize => ({ base: 1, stops: [[0, size]] });

/** Scripts from Arabic to Burmese, Khmer and Mongolian: their letters join, stack or change places. */
const shapedScripts = [
  ['\u0600', '\u10a0'],
  ['\u1780', '\u18b0'],
] as const;

/** Whether a name begins in a script that has to be shaped; told by the order of its first letter. */
const isShaped = (name: Expression): Expression => [
  'any',
  ...shapedScripts.map(([first, beyond]): Expression => ['all', ['>=', name, first], ['<', name, beyond]]),
];

/** Whether the first letter that has a direction is read from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  );

const imagePrefix = 'label';

/** A name to be painted: how large, in pixels, and its text. */
export interface LabelImage {
  readonly size: number;
  readonly text: string;
}

/** What the id of an image asks for; null for one that is no name. */
export function readLabelImage(id: string): LabelImage | null {
  const [kind, size = ''] = id.split('|', 2);
  if (kind !== imagePrefix) return null;
  return { size: Number(size), text: id.slice(kind.length + size.length + 2) };
}

/** The size as a layer's `text-size`, `scale` times as large. */
export function textSize({ base, stops }: LabelSize, scale: number): number | Expression {
  const [first] = stops;
  if (stops.length === 1 && typeof first?.[1] === 'number') return first[1] * scale;
  return [
    'interpolate',
    ['exponential', base],
    ['zoom'],
    ...stops.flatMap(([zoom, size]) => [zoom, times(size, scale)]),
  ] as unknown as Expression;
}

/**
 * A layer's `text-field`. MapLibre draws text letter by letter; a name whose script has to be shaped is painted
 * by the browser instead, as an image in the text's place (labelPainter.ts), which keeps its size, its anchors
 * and its place among the other names. It is painted again for each zoom: a text is laid out as large as it is
 * at the next whole zoom.
 */
export function labelField(name: Expression, size: LabelSize, scale: number): Expression {
  const field = (zoom: number): Expression => [
    'case',
    isShaped(name),
    [
      'format',
      [
        'image',
        ['concat', `${imagePrefix}|`, ['to-string', ['round', times(sizeAt(size, zoom), scale)]], '|', name],
      ],
    ],
    ['format', name, {}],
  ];
  const first = size.stops[0]?.[0] ?? 0;
  const last = size.stops.at(-1)?.[0] ?? 0;
  if (first === last) return field(first);
  const steps = Array.from({ length: last - first }, (_, at) => first + at);
  return ['step', ['zoom'], field(first), ...steps.flatMap((zoom) => [zoom, field(zoom + 1)])];
}

/** Brings the text of a layer that the map has to what `layer` says: its size, and with it what is painted. */
export function layOutText(map: GlMap, { id, type, layout }: LayerSpecification): void {
  if (type !== 'symbol' || map.getLayer(id) === undefined) return;
  for (const name of ['text-size', 'text-field', 'text-offset'] as const) {
    const value = layout?.[name];
    if (value !== undefined) map.setLayoutProperty(id, name, value);
  }
}

/** The size at a zoom, as MapLibre interpolates it. */
function sizeAt({ base, stops }: LabelSize, zoom: number): number | Expression {
  const at = stops.findLastIndex(([from]) => from <= zoom);
  const [from, to] = [stops[Math.max(0, at)], stops[at + 1]];
  if (from === undefined) return 0;
  if (to === undefined || at < 0) return from[1];
  const [span, gone] = [to[0] - from[0], zoom - from[0]];
  const share = base === 1 ? gone / span : (base ** gone - 1) / (base ** span - 1);
  if (typeof from[1] === 'number' && typeof to[1] === 'number') return from[1] + (to[1] - from[1]) * share;
  return ['+', times(from[1], 1 - share), times(to[1], share)];
}

const times = (size: number | Expression, factor: number): number | Expression => {
  if (typeof size === 'number') return size * factor;
  return factor === 1 ? size : ['*', size, factor];
};
