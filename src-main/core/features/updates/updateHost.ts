import type { UpdatesState } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { ReleasePackage, UpdateTarget } from './release.ts';
import type { UpdateTrust } from './trust.ts';

/** Why a source of releases failed. */
export type SourceReason =
  /** There is no such file. */
  | 'missing'
  | 'unreachable'
  | 'timed-out'
  /** The server's certificate was not trusted. */
  | 'tls-refused'
  /** A redirect, or an unexpected status. */
  | 'answered-otherwise'
  | 'too-large'
  /** A link, a folder or a device in the place of a file, or a name that is a path. */
  | 'not-plain'
  /** The transfer broke off, for example because a USB stick was removed. */
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

/** The place of the three files of a release: a server, or a folder. Everything rejects with a `SourceError`. */
export interface ReleaseSource {
  /** Reads a small file whole; `too-large` when it has more than `most` bytes. */
  read(name: string, most: number, signal: AbortSignal): Promise<Uint8Array>;
  /** Reads a file in pieces. Ending the iteration early closes the file. */
  pieces(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** A package in the private folder. Rejects with the system's own errors (`ENOSPC`, ...). */
export interface PrivateCopy {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when every byte is safe from a power cut. Nothing is written afterwards. */
  finish(): Promise<void>;
  /** The present bytes, read from the disk. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** A folder that only this user may open. */
export interface PrivateFolder {
  /** Free bytes on the disk; null where that is not known. */
  free(): Promise<number | null>;
  /** Creates a new file. */
  begin(): Promise<PrivateCopy>;
  /** Removes everything in it. Never rejects: what cannot be removed now is removed at the next start. */
  sweep(): Promise<void>;
}

/** A release with the exact bytes that its source gave and its signatures cover. */
export interface SignedRelease {
  readonly manifest: Uint8Array;
  readonly signatures: Uint8Array;
}

/** A checked package on the disk. */
export interface CheckedPackage extends Pick<ReleasePackage, 'bytes' | 'sha512' | 'kind'> {
  readonly path: string;
  readonly version: string;
  /** For an installer that checks again with other rights. */
  readonly signed: SignedRelease;
}

export type InstallOutcome =
  /** The console ends for the installation. */
  | { readonly kind: 'begun' }
  /** `sentence` is for the operator, `detail` for the log. */
  | { readonly kind: 'failed'; readonly sentence: Message; readonly detail: string };

/** What the host and its adapters provide for updates. */
export interface UpdateHost {
  /** Whether this build can be updated, before policy and keys are checked. */
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
