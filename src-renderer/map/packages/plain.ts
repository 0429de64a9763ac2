import type { LayerSpecification } from 'maplibre-gl';
import type { MapPackage } from '../../../src-preload/contract/index.ts';
import { constantSize } from '../labelText.ts';
import { byZoom, fill, geometryIs, line, names, type PackagePaint } from './paint.ts';

/** Layers of no known schema: areas, lines and points as what they are, each layer in a quiet colour. */
export function plainLayers(paint: PackagePaint, layers: MapPackage['layers']): LayerSpecification[] {
  const { theme, source, prefix } = paint;
  const colours = [
    theme.mapPlainA,
    theme.mapPlainB,
    theme.mapPlainC,
    theme.mapPlainD,
    theme.mapPlainE,
    theme.mapPlainF,
  ];
  const coloured = layers.map(({ id }, at) => ({
    id,
    part: String(at),
    colour: colours[at % colours.length] ?? theme.mapPlainA,
  }));
  // All areas under all lines under all points, or a later area would bury an earlier layer's points.
  return [
    ...coloured.map(({ id, part, colour }) => fill(paint, `${part}-area`, id, colour, { opacity: 0.28 })),
    ...coloured.map(({ id, part, colour }) =>
      line(paint, `${part}-edge`, id, colour, byZoom(2, 0.6, 12, 1.2), { filter: geometryIs('Polygon') }),
    ),
    ...coloured.map(({ id, part, colour }) => line(paint, `${part}-line`, id, colour, byZoom(2, 0.8, 12, 2))),
    ...coloured.map(({ id, part, colour }): LayerSpecification => ({
      id: `${prefix}${part}-point`,
      type: 'circle',
      source,
      'source-layer': id,
      filter: geometryIs('Point'),
      paint: {
        'circle-radius': byZoom(1, 3.5, 12, 6),
        'circle-color': colour,
        'circle-stroke-color': theme.mapLabelHalo,
        'circle-stroke-width': 1,
      },
    })),
    ...coloured.map(({ id, part }) =>
      names(paint, `${part}-name`, id, {
        filter: geometryIs('Point'),
        size: constantSize(11),
        minzoom: 2,
        offset: 0.6,
      }),
    ),
  ];
}
