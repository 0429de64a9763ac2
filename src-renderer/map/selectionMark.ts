import type { GeoJSONSource, Map as GlMap } from 'maplibre-gl';
import { rankOf } from '../table/severity.ts';
import type { IncidentTable } from '../table/table.ts';
import { singleIcon } from './clusters/icon.ts';
import { selectionSource } from './style.ts';

type Place = [longitude: number, latitude: number];

interface SelectionMarkOptions {
  readonly map: GlMap;
  readonly isDrawable: () => boolean;
}

/** The selected incident, drawn over everything, also when its cluster hides it. */
export class SelectionMark {
  readonly #map: GlMap;
  readonly #isDrawable: () => boolean;
  #table: IncidentTable | null = null;
  #key: number | null = null;
  /** What the map holds; to write the same again would have it drawn again for nothing. */
  #written: string | null = null;

  constructor({ map, isDrawable }: SelectionMarkOptions) {
    this.#map = map;
    this.#isDrawable = isDrawable;
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
    this.#show();
  }

  /** Null when nothing is selected, or nothing that has a place. */
  place(): Place | null {
    const place = this.#table?.factsAt(this.#row()).place ?? null;
    return place && [place.longitude, place.latitude];
  }

  /** Writes what is known into the map anew, after it lost its graphics. */
  apply(): void {
    this.#written = null;
    this.#show();
  }

  #show(): void {
    if (!this.#isDrawable()) return;
    const table = this.#table;
    const { severity = '', status = '' } = table?.factsAt(this.#row()) ?? {};
    const rank = rankOf(table?.scale.classOf(severity).mark ?? 'unknown');
    this.#draw(this.place(), singleIcon(rank, table?.isOpen(status) === false));
  }

  /**
   * Draws the selection's layers once where nobody looks yet: the first draw of a layer compiles its
   * program, which without a graphics card stalls the page for over 100 ms at the first selection.
   */
  warm(): void {
    if (!this.#isDrawable()) return;
    const { lng, lat } = this.#map.getCenter();
    this.#draw([lng, lat], singleIcon(0, false));
    this.#map.once('idle', () => {
      this.#show();
    });
  }

  #row(): number {
    return this.#key === null ? -1 : (this.#table?.indexOfKey(this.#key) ?? -1);
  }

  #draw(place: Place | null, icon: string): void {
    const written = JSON.stringify([place, icon, this.#key]);
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
              properties: { icon, key: this.#key, count: 1 },
            },
          ]
        : [],
    });
  }
}
