import type { Scope } from '../base/scope.ts';
import type { VaultRecords } from './records.ts';

/** One operator's account, made when the vault opens. */
export interface Account {
  /** Ends when the vault closes. */
  readonly scope: Scope;
  /** Null where nothing can be stored on this computer, and so nothing can be queued. */
  readonly records: VaultRecords | null;
  readonly username: string;
}
