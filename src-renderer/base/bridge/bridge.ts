import type { LinkMessage, Message, Push, Verbs } from '../../../src-preload/contract/index.ts';

/**
 * How the page reaches the console, whichever host carries it.
 *
 * `lost`: nothing arrives and verbs answer `bridge-lost`; `since` is on `performance.now()`'s scale.
 * `refused`: the host does not admit this page and trying again cannot help; `sentence` says why.
 */
export type LinkState =
  | { readonly state: 'connecting' }
  | { readonly state: 'up' }
  | { readonly state: 'lost'; readonly since: number }
  | { readonly state: 'refused'; readonly sentence: Message };

/** What `fetch` takes as a body; `duplex` belongs to streams, and the types of the DOM do not know it. */
export interface RouteBody {
  readonly body: Blob | ReadableStream<Uint8Array>;
  readonly duplex?: 'half';
}

export interface Bridge {
  readonly verbs: Verbs;
  /** Receives every push, starting with a snapshot; the returned function stops it. */
  subscribe(listener: (push: Push) => void): () => void;
  answer(message: LinkMessage): void;
  /** Brings the window to the front, as far as its host lets it. */
  raise(): void;
  /** Headers that the console wants with each request to a byte route (contract/wire.ts, step 7). */
  routeHeaders(): Readonly<Record<string, string>>;
  /** A file that is not empty, as the body of a request that this host's carrier passes on in pieces. */
  routeBody(file: Blob): RouteBody;
  /** Calls at once with the present state, then with every change. */
  onLink(listener: (link: LinkState) => void): () => void;
}
