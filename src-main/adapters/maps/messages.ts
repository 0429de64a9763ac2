import type { TileDatabase } from '../../core/base/ports.ts';

type Replies<M extends keyof TileDatabase> = Awaited<ReturnType<TileDatabase[M]>>;

/** The messages to a thread that reads a database of tiles. */
export interface TileMessages {
  readonly metadata: { readonly request: null; readonly reply: Replies<'metadata'> };
  readonly zooms: { readonly request: null; readonly reply: Replies<'zooms'> };
  readonly extent: { readonly request: number; readonly reply: Replies<'extent'> };
  readonly sample: { readonly request: number; readonly reply: Replies<'sample'> };
  readonly tile: {
    readonly request: { readonly zoom: number; readonly column: number; readonly row: number };
    readonly reply: {
      readonly tile: Replies<'tile'>;
      /** Why it could not be read. */
      readonly failure: string | null;
      /** Processor time of the search, milliseconds. */
      readonly costMs: number;
    };
  };
}
