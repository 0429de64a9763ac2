import { Marker, type Map as GlMap } from 'maplibre-gl';
import type { Arrival } from './shownPoints.ts';

interface Pulse {
  readonly marker: Marker;
  readonly stop: () => void;
}

/**
 * A ring that opens over every incident of the last minute. Elements and not a layer: an animated
 * layer would make the whole map draw sixty times a second for as long as anything is new.
 */
export class ArrivalPulses {
  readonly #map: GlMap;
  readonly #pulses = new Map<number, Pulse>();
  #reducedMotion: boolean;

  constructor(map: GlMap, reducedMotion: boolean) {
    this.#map = map;
    this.#reducedMotion = reducedMotion;
  }

  show(arrivals: readonly Arrival[], serverNow: number): void {
    const wanted = new Set(arrivals.map(({ key }) => key));
    for (const key of [...this.#pulses.keys()]) if (!wanted.has(key)) this.#end(key);
    for (const arrival of arrivals) if (!this.#pulses.has(arrival.key)) this.#begin(arrival, serverNow);
  }

  /** With reduced motion a still ring marks what is new. */
  setReducedMotion(reduced: boolean): void {
    this.#reducedMotion = reduced;
    for (const { marker } of this.#pulses.values()) this.#animate(marker.getElement());
  }

  clear(): void {
    for (const key of [...this.#pulses.keys()]) this.#end(key);
  }

  #begin({ key, longitude, latitude, until }: Arrival, serverNow: number): void {
    const element = document.createElement('div');
    element.className = 'map-arrival';
    element.setAttribute('aria-hidden', 'true');
    element.append(document.createElement('span'));
    this.#animate(element);
    const marker = new Marker({ element }).setLngLat([longitude, latitude]).addTo(this.#map);
    // A marker is a button to MapLibre; this one is a picture, and the incident is in the list.
    element.removeAttribute('role');
    element.removeAttribute('aria-label');
    element.removeAttribute('tabindex');
    const timer = setTimeout(() => {
      this.#end(key);
    }, until - serverNow);
    this.#pulses.set(key, {
      marker,
      stop: () => {
        clearTimeout(timer);
      },
    });
  }

  #end(key: number): void {
    const pulse = this.#pulses.get(key);
    pulse?.stop();
    pulse?.marker.remove();
    this.#pulses.delete(key);
  }

  #animate(element: HTMLElement): void {
    element.classList.toggle('map-arrival-still', this.#reducedMotion);
  }
}
