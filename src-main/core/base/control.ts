import type { SystemState } from '../../../src-preload/contract/index.ts';

/**
 * A file on its way to where the operator chose. It lies beside its place until it is kept. Failures reject
 * with an Error whose `code` is the system's own (`ENOSPC`, `EACCES`, `ENOENT`, ...).
 */
export interface Saving {
  /** As the operator chose it, without its folder. */
  readonly fileName: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Puts the file in its place in one step, once every byte would survive a power cut. */
  keep(): Promise<void>;
  /** Removes what came of it. Never rejects. */
  discard(): Promise<void>;
}

/** What only a desktop can do for the console. */
export interface DesktopControl {
  /** Whether this system shows a tray. */
  readonly tray: boolean;
  /** Null where this system cannot be told to start the console. */
  startsAtLogin(): Promise<boolean | null>;
  /** False when the system refused. */
  setStartAtLogin(on: boolean): Promise<boolean>;
  /** Asks the operator where to save a file; null when they do not want to. Rejects where it can't be begun. */
  saveAs(fileName: string): Promise<Saving | null>;
  /**
   * An HTML document as a PDF, on the paper that the document names. Rejects with `PaperNotPrinted`, also when
   * `signal` is aborted.
   */
  printPdf(document: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** Why there is no PDF. */
export class PaperNotPrinted extends Error {
  override readonly name = 'PaperNotPrinted';
}

/** A fact for the diagnostics page: short, and nothing that is secret. */
export interface HostFact {
  readonly section: 'runtime' | 'features';
  readonly name: string;
  readonly value: string;
}

/** What a second window shows. */
export type SecondWindow = 'map' | 'list';

/** What the host knows of this computer, and tells when it changes. */
export interface SystemControl {
  state(): SystemState;
  /** The returned function ends it. */
  watch(listener: (state: SystemState) => void): () => void;
  /** The next start draws with the graphics processor again. */
  retryGraphics(): void;
}
