import type { GeoJSONSource, Map as GlMap } from 'maplibre-gl';
import { droneGroups, nearZoom, type DroneSpot } from './droneGroups.ts';
import { droneIcon } from './droneImage.ts';
import { chosenDroneSource, dronesSource, shortName } from './droneLayers.ts';
import { loadFonts } from './font.ts';
import type { DrawnMap } from './graphics.ts';
import type { Corner } from './ring.ts';

interface DroneOverlayOptions extends DrawnMap<Pick<GlMap, 'getSource' | 'getZoom' | 'on'>> {
  /** `6 drones`. */
  readonly countText: (count: number) => string;
  /** So many drones are drawn. */
  readonly onDrawn: (count: number) => void;
}

/** Of more only the chosen one has its mark and its name, the others are dots: signs and names are placed at each write. */
const mostMarks = 200;
/** So many names are remembered whose fonts are there: a stream may bring others all day long. */
const mostReady = 10_000;

type Feature = GeoJSON.Feature<GeoJSON.Point | GeoJSON.LineString>;
const pointOf = (place: Corner, properties: GeoJSON.GeoJsonProperties): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [...place] },
  properties,
});

/** The drones on the map: each alone from near, those of one place as one from afar; of the chosen one its trail. */
export class DroneOverlay {
  readonly #options: DroneOverlayOptions;
  #countText: DroneOverlayOptions['countText'];
  #spots: readonly DroneSpot[] = [];
  /** At the last writing: the steps of zoom by which drones were grouped. */
  #step: number | null = null;
  /** What the sources of the map hold; to write the same again would have it drawn again for nothing. */
  readonly #written = new Map<string, string>();
  /** Names whose fonts are there, or cannot be had. */
  readonly #ready = new Set<string>();

  constructor(options: DroneOverlayOptions) {
    this.#options = options;
    this.#countText = options.countText;
    options.map.on('zoom', () => {
      if (this.#step !== null && stepOf(options.map.getZoom()) !== this.#step) this.#write();
    });
  }

  /** Shows these drones and no others. */
  set(spots: readonly DroneSpot[]): void {
    this.#spots = spots;
    this.#write();
  }

  setCountText(countText: DroneOverlayOptions['countText']): void {
    this.#countText = countText;
    void loadFonts(countText(0)).then(() => {
      this.#write();
    });
  }

  /** Writes the drones into the map again, after it lost its graphics. */
  apply(): void {
    this.#written.clear();
    this.#write();
  }

  #write(): void {
    const { map, isDrawable, onDrawn } = this.#options;
    if (!isDrawable()) return;
    this.#step = stepOf(map.getZoom());
    const chosen = this.#spots.filter((spot) => spot.chosen);
    const others = this.#spots.filter((spot) => !spot.chosen);
    const groups = droneGroups(others, map.getZoom());
    const asDots = groups.length > mostMarks;
    this.#loadFonts(asDots ? chosen : this.#spots);
    const isChanged = [
      this.#put(
        dronesSource,
        groups.map((group) => this.#featureOf(group, asDots)),
      ),
      this.#put(
        chosenDroneSource,
        chosen.flatMap((spot) => [...trailOf(spot), this.#featureOf([spot])]),
      ),
    ];
    if (isChanged.includes(true)) onDrawn(this.#spots.length);
  }

  /** @returns whether the source holds something else now. */
  #put(name: string, features: readonly Feature[]): boolean {
    const source = this.#options.map.getSource<GeoJSONSource>(name);
    const written = JSON.stringify(features);
    const before = this.#written.get(name) ?? '[]';
    if (source === undefined || written === before) return false;
    this.#written.set(name, written);
    void source.setData({ type: 'FeatureCollection', features: [...features] });
    return true;
  }

  #featureOf(group: readonly DroneSpot[], asDot = false): Feature {
    const [first] = group;
    if (first === undefined) throw new Error('A group has a drone');
    const { id, longitude, latitude, heading } = first;
    const silent = group.every((spot) => spot.silent);
    if (asDot && group.length === 1) return pointOf([longitude, latitude], { id, silent });
    const icon = droneIcon({ pointed: heading !== null && group.length === 1, silent });
    const properties =
      group.length === 1
        ? { id, name: this.#nameOf(first), icon, heading: heading ?? 0, silent }
        : { label: this.#countText(group.length), icon, silent };
    return pointOf([longitude, latitude], properties);
  }

  /** The short name of a drone; empty until its fonts are there: MapLibre keeps a letter as it was drawn first. */
  #nameOf({ id }: DroneSpot): string {
    const name = shortName(id);
    return this.#ready.has(name) ? name : '';
  }

  #loadFonts(spots: readonly DroneSpot[]): void {
    if (this.#ready.size > mostReady) this.#ready.clear();
    const names = spots.map(({ id }) => shortName(id)).filter((name) => !this.#ready.has(name));
    if (names.length === 0) return;
    void loadFonts(names.join(' ')).then(() => {
      for (const name of names) this.#ready.add(name);
      this.#write();
    });
  }
}

const stepOf = (zoom: number): number => Math.min(nearZoom, Math.floor(zoom));

/** The way to where the drone is. It goes the shorter way across 180 degrees. */
function trailOf({ trail, longitude, latitude }: DroneSpot): Feature[] {
  if (trail.length === 0) return [];
  let last = trail[0]?.[0] ?? longitude;
  const coordinates = [...trail, [longitude, latitude] as const].map(([x, y]) => {
    last = x + 360 * Math.round((last - x) / 360);
    return [last, y];
  });
  return [{ type: 'Feature', geometry: { type: 'LineString', coordinates }, properties: {} }];
}
