import { addProtocol, removeProtocol } from 'maplibre-gl';

type TileOf = (zoom: number, x: number, y: number) => Promise<ArrayBuffer>;

/** The address under which one map, and no other, is given the tiles of its marks. */
export class MarksProtocol {
  readonly #name = `incidents-${crypto.randomUUID()}`;

  get tiles(): string {
    return `${this.#name}://{z}/{x}/{y}`;
  }

  /** To be called before MapLibre asks: in the task in which the map is made. */
  serve(tileOf: TileOf): void {
    addProtocol(this.#name, async ({ url }) => {
      const [zoom = 0, x = 0, y = 0] = url
        .slice(this.#name.length + 3)
        .split('/')
        .map(Number);
      return { data: await tileOf(zoom, x, y) };
    });
  }

  close(): void {
    removeProtocol(this.#name);
  }
}
