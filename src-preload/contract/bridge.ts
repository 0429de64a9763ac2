import type { Result } from './failure.ts';
import type { LinkMessage, Push } from './pushes.ts';
import type { VerbName, VerbReply, VerbRequest } from './verbs.ts';

/** One function per verb. */
export type Verbs = {
  readonly [V in VerbName]: (request: VerbRequest<V>) => Promise<Result<VerbReply<V>>>;
};

/** What the preload exposes to the page as `window.fieldConsole`. */
export interface PreloadBridge {
  readonly verbs: Verbs;
  /**
   * Receives every push, starting with a snapshot; the returned function stops it. A large one comes as one array,
   * packed with `packerOptions`.
   */
  readonly subscribe: (listener: (push: Push | Uint8Array) => void) => () => void;
  readonly answer: (message: LinkMessage) => void;
  /** Brings the page's window to the front, which a page cannot do. */
  readonly raise: () => void;
}
