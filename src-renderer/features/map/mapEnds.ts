import type { Camera, MapPackage } from '../../../src-preload/contract/index.ts';

/** From here on the bundled map has nothing more to show: it was drawn for a scale of 1:10 million. */
const endsAtZoom = 9;

/** Whether a map package would show more where the map looks: it is near, and none that is shown lies there. */
export function mapEnds(
  { longitude, latitude, zoom }: Camera,
  packages: readonly Pick<MapPackage, 'bounds' | 'visible'>[],
): boolean {
  const isThere = ({ bounds: [west, south, east, north], visible }: (typeof packages)[number]): boolean =>
    visible && longitude >= west && longitude <= east && latitude >= south && latitude <= north;
  return zoom >= endsAtZoom && !packages.some(isThere);
}
