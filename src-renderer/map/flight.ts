import type { Map as GlMap } from 'maplibre-gl';

export interface FlightGoal {
  readonly center: [longitude: number, latitude: number];
  readonly zoom: number;
}

/** Told with the map's movement events: `own` where the movement is not the operator's. */
export interface FlightEvent {
  readonly own?: true;
}

/**
 * Flies to a place and comes there. MapLibre flies to the pixel that was the middle of the map when it left:
 * a map whose size changed meanwhile, as when a panel or an alarm comes, would end beside the goal.
 */
export class Flight {
  readonly #map: Pick<GlMap, 'on' | 'flyTo' | 'jumpTo' | 'isMoving'>;
  #goal: FlightGoal | null = null;
  #event: FlightEvent = {};
  #resized = false;

  constructor(map: Pick<GlMap, 'on' | 'flyTo' | 'jumpTo' | 'isMoving'>) {
    this.#map = map;
    map.on('resize', () => {
      this.#resized ||= this.#goal !== null && map.isMoving();
    });
    map.on('moveend', () => {
      this.#land();
    });
  }

  begin(goal: FlightGoal, event: FlightEvent = {}): void {
    // Whatever still moves is stopped by the next line and ends where it is.
    this.#goal = null;
    this.#map.flyTo({ ...goal, speed: 1.8, maxDuration: 1_400 }, event);
    this.#goal = goal;
    this.#event = event;
    this.#resized = false;
  }

  #land(): void {
    const goal = this.#goal;
    this.#goal = null;
    if (goal !== null && this.#resized) this.#map.jumpTo(goal, this.#event);
  }
}
