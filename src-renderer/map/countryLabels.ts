import type { GeoJSONSourceSpecification } from 'maplibre-gl';
import countries from '../../build/assets/basemap/labels.json';

/** The name of a country by its ISO 3166 alpha-2 code, or of a part of one by the basemap's word for it. */
export type NameCountry = (code: string) => string;

export type CountryLabels = Exclude<GeoJSONSourceSpecification['data'], string>;

/** Every name on the map of the world. */
export const countryNames = (nameOf: NameCountry): readonly string[] =>
  countries.features.map(({ properties: { code } }) => nameOf(code));

/** The countries' names as the map's labels: `name`, and `rank`, 0 for the largest. */
export function countryLabels(nameOf: NameCountry): CountryLabels {
  return {
    type: 'FeatureCollection',
    features: countries.features.map(({ properties: { rank, code }, geometry }) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: geometry.coordinates },
      properties: { name: nameOf(code), rank },
    })),
  };
}
