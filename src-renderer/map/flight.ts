import type { LngLatLike, Map as GlMap } from 'maplibre-gl';

export interface FlightGoal {
  readonly center: LngLatLike;
  readonly zoom: number;
}

/** Told with the map's movement events: `own` where the movement is not the operator's. */
export interface FlightEvent {
  readonly own?: true;
}

/** How the map gets there: to a place, over whatever lies between; to where a box fills it; into a mark. */
export type FlightKind = 'place' | 'box' | 'mark';

/**
 * Flies to a place and comes there. MapLibre flies to the pixel that was the middle of the map when it left:
 * a map whose size changed meanwhile, as when a panel or an alarm comes, would end beside the goal.
 */
export class Flight {
  readonly #map: Pick<GlMap, 'on' | 'flyTo' | 'easeTo' | 'jumpTo' | 'isMoving'>;
  #goal: (() => FlightGoal) | null = null;
  #event: FlightEvent = {};
  #resized = false;

  constructor(map: Pick<GlMap, 'on' | 'flyTo' | 'easeTo' | 'jumpTo' | 'isMoving'>) {
    this.#map = map;
    map.on('resize', () => {
      this.#resized ||= this.#goal !== null && map.isMoving();
    });
    map.on('moveend', () => {
      this.#land();
    });
  }

  /** @param goal Asked again after the map changed its size: what fits it may be another camera then. */
  begin(goal: () => FlightGoal, kind: FlightKind, event: FlightEvent = {}): void {
    // Whatever still moves is stopped by the next line and ends where it is.
    this.#goal = null;
    this.#leave(goal(), kind, event);
    this.#goal = goal;
    this.#event = event;
    this.#resized = false;
  }

  #leave(goal: FlightGoal, kind: FlightKind, event: FlightEvent): void {
    switch (kind) {
      case 'place':
        this.#map.flyTo({ ...goal, speed: 1.8, maxDuration: 1_400 }, event);
        break;
      case 'box':
        this.#map.flyTo(goal, event);
        break;
      case 'mark':
        this.#map.easeTo({ ...goal, duration: 450 }, event);
        break;
    }
  }

  #land(): void {
    const goal = this.#goal;
    this.#goal = null;
    if (goal !== null && this.#resized) this.#map.jumpTo(goal(), this.#event);
  }
}
