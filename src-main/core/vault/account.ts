import type { Moments } from '../base/failure.ts';
import type { BasePorts } from '../base/ports.ts';
import type { Scope } from '../base/scope.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { VaultRecords } from './records.ts';

/** One operator's account: the common options of all its features, made when the vault opens. */
export interface Account {
  /** Ends when the vault closes. */
  readonly scope: Scope;
  /** Null where nothing can be stored on this computer, and so nothing can be queued. */
  readonly records: VaultRecords | null;
  readonly username: string;
}

/** What features and their parts are made with, beside the account. */
export interface FeatureOptions extends Pick<BasePorts, 'clock' | 'random' | 'logger'>, Moments {
  readonly store: ConsoleStore;
}
