import type { Moments } from '../../base/failure.ts';
import type { BasePorts } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { VaultFor } from '../../vault/vaultPort.ts';
import type { VaultGuesses } from './guesses.ts';
import type { Login } from './loginOutcome.ts';

/** What the parts of a session are made with. */
export interface SessionContext extends Pick<BasePorts, 'clock' | 'random' | 'logger'>, Moments {
  readonly serverTime: ServerTime;
  readonly vaultFor: VaultFor;
  readonly guesses: VaultGuesses;
  readonly login: Login;
  /** Milliseconds after a lock until credentials, token and verifier are erased. */
  readonly forgetAfterMs: number;
}
