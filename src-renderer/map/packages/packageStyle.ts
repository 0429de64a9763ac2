import type {
  GeoJSONSourceSpecification,
  LayerSpecification,
  SourceSpecification,
  VectorSourceSpecification,
} from 'maplibre-gl';
import type { MapPackage } from '../../../src-preload/contract/index.ts';
import { constantSize } from '../labelText.ts';
import type { MapTheme } from '../theme.ts';
import { openmaptilesLayers } from './openmaptiles.ts';
import { byZoom, fill, geometryIs, line, names, type PackagePaint } from './paint.ts';
import { protomapsLayers } from './protomaps.ts';

/** What every id of a package's sources and layers begins with. */
export const packagePrefix = (id: string): string => `map-${id}-`;

/** MapLibre takes an attribution for HTML; a package's is a text and stays one. */
const asText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface PackageStyle {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  /** From below up. */
  readonly layers: readonly LayerSpecification[];
}

interface PackageLook {
  readonly theme: MapTheme;
  /** How many times larger than usual text is. */
  readonly textScale: number;
  /** Address under which the console serves tiles, with a slash at its end. */
  readonly tilesBase: string;
}

/** How a package is drawn. */
export function packageStyle(entry: MapPackage, { theme, textScale, tilesBase }: PackageLook): PackageStyle {
  const { id, kind, minZoom, maxZoom, bounds, tileSize, attribution } = entry;
  const prefix = packagePrefix(id);
  const source = `${prefix}tiles`;
  const common = {
    tiles: [`${tilesBase}${id}/{z}/{x}/{y}`],
    minzoom: minZoom,
    maxzoom: maxZoom,
    bounds,
    ...(attribution === '' ? {} : { attribution: asText(attribution) }),
  };
  if (kind === 'raster') {
    return {
      sources: { [source]: { type: 'raster', tileSize, ...common } },
      layers: [
        {
          id: `${prefix}image`,
          type: 'raster',
          source,
          paint: {
            'raster-fade-duration': 0,
            // Paper-white imagery would blind a room that has turned its lights down.
            'raster-brightness-max': theme.scheme === 'dark' ? 0.72 : 1,
          },
        },
      ],
    };
  }
  const paint: PackagePaint = { theme, textScale, source, prefix };
  // Sparse: where a tile is left out, the part of a lower zoom's is shown. MapLibre's types name that
  // option only on the source that it makes of this.
  const vector: VectorSourceSpecification & { readonly sparse: boolean } = {
    type: 'vector',
    sparse: true,
    ...common,
  };
  const tiles: Record<string, SourceSpecification> = { [source]: vector };
  /** On land of its whole area: the basemap's coarse coast and its towns would show through. */
  const onGround = (layers: readonly LayerSpecification[]): PackageStyle => {
    const ground = `${prefix}ground`;
    const area: LayerSpecification = {
      id: ground,
      type: 'fill',
      source: ground,
      minzoom: minZoom,
      paint: { 'fill-color': theme.mapLand, 'fill-antialias': false },
    };
    return {
      sources: { ...tiles, [ground]: { type: 'geojson', data: areaOf(bounds), maxzoom: 0 } },
      layers: [area, ...layers],
    };
  };
  const has = (layer: string): boolean => entry.layers.some((one) => one.id === layer);
  switch (entry.scheme) {
    case 'openmaptiles':
      // The schema has no land, only what lies on it.
      return onGround(openmaptilesLayers(paint));
    case 'protomaps':
      // One without land but with its waters is a whole map too; one without both only adds to the basemap.
      return has('earth') || !has('water')
        ? { sources: tiles, layers: protomapsLayers(paint, !has('earth')) }
        : onGround(protomapsLayers(paint, false));
    case 'plain':
    case 'raster':
      return { sources: tiles, layers: plainLayers(paint, entry.layers) };
  }
}

function areaOf([west, south, east, north]: MapPackage['bounds']): GeoJSONSourceSpecification['data'] {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } };
}

/** Layers of no known schema: areas, lines and points as what they are, each layer in a quiet colour. */
function plainLayers(paint: PackagePaint, layers: MapPackage['layers']): LayerSpecification[] {
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
