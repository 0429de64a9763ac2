import type { MapPackage } from '../../src-preload/contract/index.ts';
import { t, type MessageKey } from '../i18n/index.ts';

const tileTypes: Readonly<Record<MapPackage['tileType'], string>> = {
  png: 'PNG',
  jpg: 'JPEG',
  webp: 'WebP',
  avif: 'AVIF',
  mvt: 'MVT',
};
const schemes: Readonly<Record<MapPackage['scheme'], MessageKey>> = {
  openmaptiles: 'maps.vectorOpenMapTiles',
  protomaps: 'maps.vectorProtomaps',
  plain: 'maps.vectorOwn',
  raster: 'maps.vectorOwn',
};

/** `Raster, WebP 512 px`, `Vector, Protomaps layers`. */
export const kindText = ({ kind, tileType, tileSize, scheme }: MapPackage): string =>
  kind === 'raster' ? t('maps.raster', { type: tileTypes[tileType], size: tileSize }) : t(schemes[scheme]);

/** `Zoom 8–15`, `Zoom 4`. */
export const zoomText = ({ minZoom, maxZoom }: MapPackage): string =>
  minZoom === maxZoom ? t('maps.zoom', { zoom: minZoom }) : t('maps.zooms', { from: minZoom, to: maxZoom });

/** One decimal for a continent, four for a mountain. */
function decimals(span: number): number {
  if (span > 20) return 1;
  if (span > 1) return 2;
  return span > 0.05 ? 3 : 4;
}

/** `36.5611° N – 36.5930° N, 118.3198° W – 118.2607° W`; south to north, west to east. */
export function extentText([west, south, east, north]: MapPackage['bounds']): string {
  if (west <= -179.9 && east >= 179.9 && south <= -84 && north >= 84) return t('maps.world');
  // West beyond east: the extent crosses 180 degrees.
  const width = east < west ? east - west + 360 : east - west;
  const digits = decimals(Math.min(width, north - south));
  const degrees = (value: number, positive: string, negative: string): string =>
    `${Math.abs(value).toFixed(digits)}° ${value < 0 ? negative : positive}`;
  const latitudes = `${degrees(south, 'N', 'S')} – ${degrees(north, 'N', 'S')}`;
  return `${latitudes}, ${degrees(west, 'E', 'W')} – ${degrees(east, 'E', 'W')}`;
}
