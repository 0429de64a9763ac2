import { Popup, type Map as GlMap, type MapLayerMouseEvent } from 'maplibre-gl';
import type { MarkMembers } from './clusters/index.ts';
import { markOf, type Mark } from './mapHands.ts';
import { marksLayerId } from './style.ts';

interface ClusterTipOptions {
  readonly map: GlMap;
  readonly membersOf: (zoom: number, longitude: number, latitude: number) => Promise<MarkMembers | null>;
  /** `Active: 60 critical, 12 high. In all: 214.` */
  readonly words: (members: MarkMembers) => string;
}

/** A pointer that passes over marks asks about none of them; milliseconds. */
const dwellMs = 250;

/** What lies behind the mark of several incidents, beside it while the pointer rests on it, or after a long press. */
export class ClusterTip {
  readonly #options: ClusterTipOptions;
  readonly #popup = new Popup({
    className: 'map__tip',
    closeButton: false,
    closeOnMove: true,
    focusAfterOpen: false,
    maxWidth: 'none',
    offset: 22,
  });
  /** The mark that it is about, or will be. */
  #about: string | null = null;
  #timer = 0;

  constructor(options: ClusterTipOptions) {
    this.#options = options;
    const { map } = options;
    map.on('mousemove', marksLayerId, (event) => {
      this.#point(event, dwellMs);
    });
    map.on('contextmenu', marksLayerId, (event) => {
      this.#point(event, 0);
    });
    map.on('mouseleave', marksLayerId, () => {
      this.#leave();
    });
    map.on('movestart', () => {
      this.#leave();
    });
  }

  #point({ features = [] }: MapLayerMouseEvent, afterMs: number): void {
    const [mark = null] = features.map(markOf);
    if (mark === null || mark.count < 2) {
      this.#leave();
      return;
    }
    const about = JSON.stringify([mark.zoom, mark.place]);
    if (about === this.#about) return;
    this.#leave();
    this.#about = about;
    this.#timer = window.setTimeout(() => void this.#show(mark, about), afterMs);
  }

  async #show({ zoom, place }: Mark, about: string): Promise<void> {
    const { map, membersOf, words } = this.#options;
    const members = await membersOf(zoom, ...place);
    if (members === null || about !== this.#about) return;
    this.#popup
      .setLngLat([...place])
      .setText(words(members))
      .addTo(map);
  }

  #leave(): void {
    window.clearTimeout(this.#timer);
    this.#about = null;
    this.#popup.remove();
  }
}
