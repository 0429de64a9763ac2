import type { GeoJSONSource, Map as GlMap } from 'maplibre-gl';
import { rankOf } from '../table/severity.ts';
import type { IncidentTable } from '../table/table.ts';
import { singleIcon } from './clusters/icon.ts';
import type { DrawnMap } from './graphics.ts';
import { markOf, type Mark } from './mapHands.ts';
import { markReach } from './markSizes.ts';
import { marksLayerId, selectionSource } from './style.ts';

type Place = [longitude: number, latitude: number];

/** The radius of the ring round one incident, and how far it lies from the mark of several, in CSS pixels. */
const [ownRadius, aroundPx] = [15, 3];

/**
 * The selected incident, drawn over everything; where the mark of its cluster lies, the ring is around that, so that the
 * number stays to be read.
 */
export class SelectionMark {
  readonly #map: GlMap;
  readonly #isDrawable: () => boolean;
  #table: IncidentTable | null = null;
  #key: number | null = null;
  /** The mark of several incidents that would lie under it. */
  #cluster: Mark | null = null;
  /** What the map holds; to write the same again would have it drawn again for nothing. */
  #written: string | null = null;

  constructor({ map, isDrawable }: DrawnMap) {
    this.#map = map;
    this.#isDrawable = isDrawable;
    // Marks of one zoom are not those of the next.
    map.on('zoomstart', () => {
      this.#cluster = null;
      this.#show();
    });
    map.on('idle', () => {
      this.#cluster = this.#isDrawable() ? this.#clusterThere() : null;
      this.#show();
    });
  }

  get key(): number | null {
    return this.#key;
  }

  setTable(table: IncidentTable): void {
    this.#table = table;
    this.#show();
  }

  setKey(key: number | null): void {
    this.#key = key;
    this.#cluster = this.#isDrawable() ? this.#clusterThere() : null;
    this.#show();
  }

  /** Null when nothing is selected, or nothing that has a place. */
  place(): Place | null {
    const place = this.#table?.factsAt(this.#row()).place ?? null;
    return place && [place.longitude, place.latitude];
  }

  /** Writes what is known into the map again, after it lost its graphics. */
  apply(): void {
    this.#written = null;
    this.#show();
  }

  #show(): void {
    if (!this.#isDrawable()) return;
    const table = this.#table;
    const { severity = '', status = '' } = table?.factsAt(this.#row()) ?? {};
    const rank = rankOf(table?.scale.classOf(severity).mark ?? 'unknown');
    const place = this.place();
    if (this.#cluster === null || place === null)
      this.#draw(place, { icon: singleIcon(rank, table?.isOpen(status) === false), radius: ownRadius });
    else this.#draw([...this.#cluster.place], { radius: markReach(this.#cluster.count, false) + aroundPx });
  }

  /**
   * Draws the selection's layers once out of view: the first draw of a layer compiles its
   * program, which without a graphics card stalls the page for over 100 ms at the first selection.
   */
  warm(): void {
    if (!this.#isDrawable()) return;
    const { lng, lat } = this.#map.getCenter();
    this.#draw([lng, lat], { icon: singleIcon(0, false), radius: ownRadius });
    this.#map.once('idle', () => {
      this.#show();
    });
  }

  #row(): number {
    return this.#key === null ? -1 : (this.#table?.indexOfKey(this.#key) ?? -1);
  }

  /** The mark of several that hides the incident, which has none then. */
  #clusterThere(): Mark | null {
    const place = this.place();
    if (place === null) return null;
    const { x, y } = this.#map.project(place);
    const marks = this.#map
      .queryRenderedFeatures(
        [
          [x - ownRadius, y - ownRadius],
          [x + ownRadius, y + ownRadius],
        ],
        { layers: [marksLayerId] },
      )
      .map(markOf)
      .filter((mark) => mark !== null);
    const isAlone = marks.some(({ count, key }) => count === 1 && key === this.#key);
    return isAlone ? null : (marks.find(({ count }) => count > 1) ?? null);
  }

  #draw(place: Place | null, look: { readonly icon?: string; readonly radius: number }): void {
    const written = JSON.stringify([place, look, this.#key]);
    const source = this.#map.getSource<GeoJSONSource>(selectionSource);
    if (source === undefined || written === this.#written) return;
    this.#written = written;
    void source.setData({
      type: 'FeatureCollection',
      features: place
        ? [
            {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: place },
              properties: { ...look, key: this.#key, count: 1 },
            },
          ]
        : [],
    });
  }
}
