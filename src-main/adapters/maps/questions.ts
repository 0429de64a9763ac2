/** What a thread that reads a database is asked, and what it answers. One question at a time. */
export type Question =
  | { readonly ask: 'metadata' }
  | { readonly ask: 'zooms' }
  | { readonly ask: 'extent'; readonly zoom: number }
  | { readonly ask: 'sample'; readonly zoom: number }
  | { readonly ask: 'tile'; readonly zoom: number; readonly column: number; readonly row: number };

export interface DatabaseReply {
  readonly id: number;
  readonly failed: boolean;
  readonly value: unknown;
}
