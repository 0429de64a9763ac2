import { Marker, type Map as GlMap } from 'maplibre-gl';
import type { Corner } from './ring.ts';

/** The station, and the place that an operator went to. */
export type PlaceMarkName = 'station' | 'goal';

/** In a box of 24 by 24: a mast with its waves, and a cross in a ring; no severity looks like them. */
const shapes: Readonly<Record<PlaceMarkName, string>> = {
  station:
    'M12 21v-9m-4 9h8M12 12a2 2 0 1 0 0-4a2 2 0 1 0 0 4M7.5 14.5a6.4 6.4 0 0 1 0-9m9 0a6.4 6.4 0 0 1 0 9',
  goal: 'M12 2v7m0 6v7M2 12h7m6 0h7M12 18a6 6 0 1 0 0-12a6 6 0 1 0 0 12',
};
const svg = 'http://www.w3.org/2000/svg';

/** Marks of places that are no incidents: elements over the map, styled by map.css from the page's tokens. */
export class PlaceMarks {
  readonly #map: GlMap;
  readonly #markers = new Map<PlaceMarkName, Marker>();

  constructor(map: GlMap) {
    this.#map = map;
  }

  /** `name` is for those who hear the page; without a place the mark goes. */
  set(mark: PlaceMarkName, place: Corner | null, name: string): void {
    const known = this.#markers.get(mark);
    if (place === null) {
      known?.remove();
      this.#markers.delete(mark);
      return;
    }
    const marker = known ?? new Marker({ element: element(mark) });
    marker.getElement().setAttribute('aria-label', name);
    marker.setLngLat([...place]);
    if (known) return;
    marker.addTo(this.#map);
    this.#markers.set(mark, marker);
  }
}

function element(mark: PlaceMarkName): HTMLElement {
  const holder = document.createElement('div');
  holder.className = `map-place map-place-${mark}`;
  holder.setAttribute('role', 'img');
  const drawing = document.createElementNS(svg, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  for (const name of ['map-place-edge', 'map-place-line']) {
    const path = document.createElementNS(svg, 'path');
    path.setAttribute('d', shapes[mark]);
    path.setAttribute('class', name);
    drawing.append(path);
  }
  holder.append(drawing);
  return holder;
}
