import type { CoordinateFormat, Wording } from '../../../../src-preload/contract/index.ts';

type Place = { readonly latitude: number; readonly longitude: number };

const keyOf = (latitude: number, longitude: number): string => `${latitude},${longitude}`;

/**
 * Places on paper: in decimal degrees, and beside them as the operator's page writes them. What a page lent is
 * found by the place itself, so that an incident that has moved since never stands beside its old place.
 */
export class Places {
  /** What the page's form is called; null where the page lent none. */
  readonly format: Exclude<CoordinateFormat, 'dd'> | null;
  readonly #texts: ReadonlyMap<string, string>;

  constructor(lent: Wording['places'] | null) {
    this.format = lent === null || lent.format === 'dd' ? null : lent.format;
    this.#texts = new Map(
      lent?.texts.map(([latitude, longitude, text]) => [keyOf(latitude, longitude), text]),
    );
  }

  /** To five decimals, about a metre. */
  degrees({ latitude, longitude }: Place): string {
    return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  }

  /** In the page's form; null where that is not known. */
  asShown({ latitude, longitude }: Place): string | null {
    return this.format === null ? null : (this.#texts.get(keyOf(latitude, longitude)) ?? null);
  }
}
