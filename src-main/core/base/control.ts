import type { SystemState } from '../../../src-preload/contract/index.ts';

/**
 * A file that is being written to the place that the operator chose. It lies beside that place until `keep`. Failures
 * reject with an Error whose `code` is the system's own (`ENOSPC`, `EACCES`, `ENOENT`, ...).
 */
export interface Saving {
  /** The file's name as the operator chose it, without the folder. */
  readonly fileName: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Moves the file to its place in one step, after every byte is safe from a power cut. */
  keep(): Promise<void>;
  /** Removes what was written. Never rejects. */
  discard(): Promise<void>;
}

/** What only a desktop can do for the console. */
export interface DesktopControl {
  /** Whether this system shows a tray. */
  readonly tray: boolean;
  /** Null where the system has no setting that starts the console at login. */
  startsAtLogin(): Promise<boolean | null>;
  /** False when the system refused. */
  setStartAtLogin(on: boolean): Promise<boolean>;
  /**
   * Asks the operator where to save a file. Null when the operator cancels. Rejects when the file cannot be created.
   */
  saveAs(fileName: string): Promise<Saving | null>;
  /**
   * Prints an HTML document as a PDF, on the paper size that the document names. Rejects with `PaperNotPrinted`, also
   * when `signal` is aborted.
   */
  printPdf(document: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** Why there is no PDF. */
export class PaperNotPrinted extends Error {
  override readonly name = 'PaperNotPrinted';
}

/** A fact for the diagnostics page: short, without secrets. */
export interface HostFact {
  readonly section: 'runtime' | 'features';
  readonly name: string;
  readonly value: string;
}

/** What a second window shows. */
export type SecondWindow = 'map' | 'list';

/** The state of this computer, as the host knows it. */
export interface SystemControl {
  state(): SystemState;
  /** Calls `listener` at each change. The returned function stops that. */
  watch(listener: (state: SystemState) => void): () => void;
  /** From the next start, draws with the graphics processor again. */
  retryGraphics(): void;
  /** Ends the console and starts it again. */
  restart(): void;
}
