import type { ConsoleState, Push, Result, SliceName } from '../../../src-preload/contract/index.ts';
import type { SpoolAnswer } from '../base/spoolAnswer.ts';
import type { OpenedContent } from '../features/evidence/index.ts';
import type { ExportStream } from '../features/exports/index.ts';
import type { TileAnswer } from '../features/maps/index.ts';
import type { TrainingOptions } from '../features/training/index.ts';
import type { Subscription } from '../state/publisher.ts';

/** The byte routes. Hosts check the sender and pass on (contract/wire.ts, step 7). */
export interface AppBytes {
  /** A tile of a map package: 0 <= x, y < 2^z, y from the north. Never rejects. */
  tile(id: string, z: number, x: number, y: number): Promise<TileAnswer | { readonly kind: 'locked' }>;
  /** Takes the bytes of an announced file, piece by piece: a map, an upload, a verification. Never rejects. */
  spool(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer>;
  /** What a verb prepared, once. Null when there is no such thing, or while the console is locked. */
  exported(id: string): Uint8Array | ExportStream | null;
  /** A file of evidence that a verb opened. Null when there is no such file, or while the console is locked. */
  evidence(ticket: string): OpenedContent | null;
}

/** The console for a host: verbs and bytes in, pushes and tiles out. */
export interface App {
  /** Validates `request` against the verb's schema and runs it. Never rejects. */
  call(verb: string, request: unknown): Promise<Result<unknown>>;
  readonly bytes: AppBytes;
  /** Starts with a snapshot. `send` must not throw; the host unsubscribes a page that has closed. */
  subscribe(send: (push: Push) => void): Subscription;
  /**
   * Calls `listener` with one slice, now and at each change. For hosts; it must be fast. The returned function stops
   * it.
   */
  watch<N extends SliceName>(name: N, listener: (value: ConsoleState[N]) => void): () => void;
  /** Chooses the deployment that a `field-console:` link names, if it is known and no operator is signed in. */
  openLink(link: string): Promise<Result<null>>;
  /** Opens a file that the operator opened in the system: a deployment file or a map package, by its name. */
  openFile(path: string): Promise<Result<null>>;
  /** The computer woke up. */
  wake(): void;
  /** Erases every secret, stops every timer and closes every connection. */
  close(): Promise<void>;
}

export interface AppOptions extends TrainingOptions {
  readonly version: string;
  readonly host: 'desktop' | 'browser';
  /** Milliseconds after a lock until the credentials are erased. */
  readonly forgetAfterMs: number;
}
