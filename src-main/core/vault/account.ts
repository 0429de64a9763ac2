import type { Scope } from '../base/scope.ts';
import type { VaultRecords } from './records.ts';

/** One operator at work: what every feature of an account is built with, when the vault opens. */
export interface Account {
  /** Ends when the vault is left. */
  readonly scope: Scope;
  /** Null where nothing can be stored on this computer, and so nothing can be queued. */
  readonly records: VaultRecords | null;
  readonly username: string;
}
