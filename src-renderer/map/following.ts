import type { Map as GlMap, MapLibreEvent } from 'maplibre-gl';
import type { Corner } from './ring.ts';

interface FollowingOptions {
  readonly map: Pick<GlMap, 'on' | 'project' | 'isMoving' | 'getContainer'>;
  /** Brings a place into the middle; `first`: the map was elsewhere before. */
  readonly go: (place: Corner, first: boolean) => void;
  /** Ended by what the operator did with the map, not by a wish to end. */
  readonly onEnd: () => void;
}

/** Which part of the map's width and height a place may go through before the map goes after it. */
const middle = 0.5;

/**
 * Keeps the map at something that moves. The map stands while that is in its middle part: a map that moved with every
 * position could not be read. A hand that moves the map ends it, one that zooms does not.
 */
export class Following {
  readonly #options: FollowingOptions;
  #on = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
    options.map.on('movestart', (event) => {
      if (isMove(event)) this.end();
    });
  }

  /** Where it is now; null: it is followed no more, and nothing says so. */
  to(place: Corner | null): void {
    const { map, go } = this.#options;
    const first = !this.#on;
    this.#on = place !== null;
    if (place === null) return;
    if (first) go(place, true);
    else if (!map.isMoving() && !this.#isInMiddle(place)) go(place, false);
  }

  /** Something else moves the map from now on. */
  end(): void {
    if (!this.#on) return;
    this.#on = false;
    this.#options.onEnd();
  }

  #isInMiddle([longitude, latitude]: Corner): boolean {
    const { map } = this.#options;
    const { clientWidth, clientHeight } = map.getContainer();
    const { x, y } = map.project([longitude, latitude]);
    return (
      Math.abs(x - clientWidth / 2) <= (clientWidth * middle) / 2 &&
      Math.abs(y - clientHeight / 2) <= (clientHeight * middle) / 2
    );
  }
}

/** Whether a hand moves the map, and does not only zoom it. */
function isMove(event: MapLibreEvent<unknown>): boolean {
  const { originalEvent } = event as { readonly originalEvent?: unknown };
  if (!(originalEvent instanceof Event)) return false;
  if (originalEvent.type === 'wheel' || originalEvent.type === 'dblclick') return false;
  return !(originalEvent instanceof KeyboardEvent) || originalEvent.key.startsWith('Arrow');
}
