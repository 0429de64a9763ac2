import type { Map as GlMap } from 'maplibre-gl';

interface GraphicsOptions {
  readonly map: Pick<GlMap, 'on' | 'once'>;
  readonly onLost: () => void;
  /** Everything that was changed meanwhile has to be written into the map again. */
  readonly onBack: () => void;
}

/** The map that a part draws into, as much of it as the part uses. */
export interface DrawnMap<Used = GlMap> {
  readonly map: Used;
  /** False while the graphics context is lost, and once the map is no more. */
  readonly isDrawable: () => boolean;
}

/** Whether the map can be drawn on: while its graphics context is lost MapLibre has no style, and throws. */
export class Graphics {
  #lost = false;
  #gone = false;
  /** How often it was lost: what waits for its return waits for that of the last time only. */
  #losses = 0;

  constructor({ map, onLost, onBack }: GraphicsOptions) {
    map.on('webglcontextlost', () => {
      this.#lost = true;
      this.#losses += 1;
      onLost();
    });
    map.on('webglcontextrestored', () => {
      const losses = this.#losses;
      map.once('idle', () => {
        if (this.#gone || losses !== this.#losses) return;
        this.#lost = false;
        onBack();
      });
    });
  }

  get drawable(): boolean {
    return !this.#gone && !this.#lost;
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** The map is no more. */
  close(): void {
    this.#gone = true;
  }
}
