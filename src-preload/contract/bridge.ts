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
  /** Receives every push, starting with a snapshot; the returned function stops it. */
  readonly subscribe: (listener: (push: Push) => void) => () => void;
  readonly answer: (message: LinkMessage) => void;
}
