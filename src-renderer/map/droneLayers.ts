import type {
  ExpressionSpecification,
  LayerSpecification,
  SourceSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl';
import { codePointMark, hiddenCharacters } from '../../src-preload/contract/index.ts';
import { nearZoom } from './droneGroups.ts';
import { mapFonts } from './font.ts';
import { constantSize, labelField, textSize } from './labelText.ts';
import type { MapTheme } from './theme.ts';

/** All drones but the chosen one; and that one, with its trail. */
export const dronesSource = 'drones';
export const chosenDroneSource = 'chosen-drone';
/** What a press takes for a drone, or for several. */
export const droneLayerIds = ['drone-badges', 'drone-dots', 'drone-marks', 'chosen-drone-mark'] as const;

const empty: SourceSpecification = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } };
export const droneSources: Readonly<Record<string, SourceSpecification>> = {
  [dronesSource]: empty,
  [chosenDroneSource]: empty,
};

/** Longer names would lie over half of the map; the ends of one are what tells it from the next. */
const mostLetters = 24;
const lastLetters = 8;
export function shortName(id: string): string {
  const shown = id.replaceAll(hiddenCharacters, codePointMark);
  const letters = [...shown];
  if (letters.length <= mostLetters) return shown;
  const first = letters.slice(0, mostLetters - lastLetters - 1);
  return [...first, '…', ...letters.slice(-lastLetters)].join('');
}

type Layout = NonNullable<SymbolLayerSpecification['layout']>;

const nameSize = constantSize(12);
const isGroup: ExpressionSpecification = ['has', 'label'];
const isMark: ExpressionSpecification = ['has', 'heading'];
/** A badge stands beside its place, clear of the mark of the incidents there. */
const badgePx: [number, number] = [34, 24];

/** Under the marks of the incidents, from the lowest: the chosen one's trail, the drones, the chosen one. */
export function droneLayers(theme: MapTheme, textScale: number): LayerSpecification[] {
  const text = (name: string): Layout => ({
    'text-field': labelField(['to-string', ['get', name]], nameSize, textScale),
    'text-font': [...mapFonts],
    'text-size': textSize(nameSize, textScale),
  });
  const halo = { 'text-halo-color': theme.surface, 'text-halo-width': 1.6 } as const;
  const colour: ExpressionSpecification = ['case', ['get', 'silent'], theme.mapLabel, theme.text];
  const mark: Layout = {
    'icon-image': ['get', 'icon'],
    'icon-rotate': ['get', 'heading'],
    'icon-rotation-alignment': 'map',
    'icon-allow-overlap': true,
    'icon-ignore-placement': true,
  };
  const name: Layout = { ...text('name'), 'text-anchor': 'top', 'text-offset': [0, 1.1] };
  return [
    {
      id: 'drone-trail',
      type: 'line',
      source: chosenDroneSource,
      filter: ['==', ['geometry-type'], 'LineString'],
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': theme.accent, 'line-width': 2.5 * theme.stroke },
    },
    {
      id: 'drone-badges',
      type: 'symbol',
      source: dronesSource,
      filter: isGroup,
      layout: {
        ...text('label'),
        'icon-image': ['get', 'icon'],
        'icon-size': 0.8,
        'icon-offset': [badgePx[0] / 0.8, badgePx[1] / 0.8],
        // It takes its place from the signs and names under it.
        'icon-allow-overlap': true,
        'text-anchor': 'left',
        'text-offset': [(badgePx[0] + 12) / (12 * textScale), badgePx[1] / (12 * textScale)],
        'text-allow-overlap': true,
      },
      paint: { 'text-color': theme.text, ...halo },
    },
    {
      id: 'drone-dots',
      type: 'circle',
      source: dronesSource,
      filter: ['!', ['any', isGroup, isMark]],
      paint: {
        'circle-radius': 4,
        'circle-color': ['case', ['get', 'silent'], theme.surface, theme.text],
        'circle-stroke-color': ['case', ['get', 'silent'], theme.mapLabel, theme.surface],
        'circle-stroke-width': 2,
      },
    },
    { id: 'drone-marks', type: 'symbol', source: dronesSource, filter: isMark, layout: mark },
    {
      id: 'drone-names',
      type: 'symbol',
      source: dronesSource,
      filter: isMark,
      minzoom: nearZoom,
      layout: name,
      paint: { 'text-color': colour, ...halo },
    },
    {
      id: 'drone-ring',
      type: 'circle',
      source: chosenDroneSource,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 17,
        'circle-color': theme.surface,
        'circle-opacity': 0.7,
        'circle-stroke-color': theme.accent,
        'circle-stroke-width': 1 + theme.stroke,
      },
    },
    {
      id: 'chosen-drone-mark',
      type: 'symbol',
      source: chosenDroneSource,
      filter: ['==', ['geometry-type'], 'Point'],
      // Its name stands clear of its ring.
      layout: {
        ...mark,
        ...name,
        'text-offset': [0, 1.6],
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': colour, ...halo },
    },
  ];
}
