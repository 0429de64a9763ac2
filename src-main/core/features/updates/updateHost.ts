import type { UpdatesState } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { ReleasePackage, UpdateTarget } from './release.ts';
import type { UpdateTrust } from './trust.ts';

/** Why something could not be had from where releases lie. */
export type SourceReason =
  /** There is no such file. */
  | 'missing'
  | 'unreachable'
  | 'timed-out'
  /** The server could not prove that it is the one that was asked. */
  | 'tls-refused'
  /** A redirect, or a status that is no answer. */
  | 'answered-otherwise'
  | 'too-large'
  /** A link, a folder or a device where a file should be, or a name that is a path. */
  | 'not-plain'
  /** It broke off, as when a stick is pulled. */
  | 'broken'
  | 'cancelled';

/** What a `ReleaseSource` rejects with. `detail` is technical, for the log. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly reason: SourceReason;

  constructor(reason: SourceReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Where the three files of a release lie: a server, or a folder. Everything rejects with a `SourceError`. */
export interface ReleaseSource {
  /** A small file whole; `too-large` when it has more than `most` bytes. */
  read(name: string, most: number, signal: AbortSignal): Promise<Uint8Array>;
  /** A file in pieces. What is not read to its end is closed by the iteration's end. */
  pieces(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** A package in the private folder. Rejects with the system's own errors (`ENOSPC`, ...). */
export interface PrivateCopy {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Answers when every byte would survive a power cut; nothing is written after it. */
  finish(): Promise<void>;
  /** What lies there now, from the disk. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** A folder that nobody but this user may enter. */
export interface PrivateFolder {
  /** Bytes that may still be written; null where that is not known. */
  free(): Promise<number | null>;
  /** Begins a file that was not there before. */
  begin(): Promise<PrivateCopy>;
  /** Removes everything in it. Never rejects; what cannot be removed now is removed at the next start. */
  sweep(): Promise<void>;
}

/** A release as its source gave it, bytes for bytes: what its signatures hold for. */
export interface SignedRelease {
  readonly manifest: Uint8Array;
  readonly signatures: Uint8Array;
}

/** A package that was checked, where it lies. */
export interface CheckedPackage extends Pick<ReleasePackage, 'bytes' | 'sha512' | 'kind'> {
  readonly path: string;
  readonly version: string;
  /** For an installer that checks once more, with other rights. */
  readonly signed: SignedRelease;
}

export type InstallOutcome =
  /** The console is being ended for it. */
  | { readonly kind: 'begun' }
  /** `sentence` is for the operator, `detail` for the log. */
  | { readonly kind: 'failed'; readonly sentence: Message; readonly detail: string };

/** What the host and its adapters give the updates. */
export interface UpdateHost {
  /** What this build says of updates before the policy and the keys are asked. */
  readonly offered: UpdatesState['offered'];
  readonly trust: UpdateTrust;
  readonly target: UpdateTarget;
  server(address: string): ReleaseSource;
  /** Asks the operator for a folder; null when none was chosen. */
  chooseFolder(): Promise<ReleaseSource | null>;
  readonly folder: PrivateFolder;
  /** Installs exactly this file and ends the console. Never rejects. */
  install(checked: CheckedPackage): Promise<InstallOutcome>;
}
