import type { Refusal, RequestLine } from '../../../../src-preload/contract/index.ts';
import type { BasePorts } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { TokenSource } from '../session/tokens.ts';
import type { ServiceAddress } from './address.ts';
import type { Line } from './line.ts';
import type { Network } from './network.ts';
import type { AttemptOutcome } from './request.ts';

/** What the interceptors are made with. */
export interface TransportOptions extends Pick<BasePorts, 'clock' | 'random' | 'logger'> {
  readonly address: ServiceAddress;
  readonly network: Network;
  readonly serverTime: ServerTime;
  readonly tokens: TokenSource;
  readonly line: Line;
  /** Called for every attempt that was not cancelled, of both APIs and of the login. Must not throw. */
  readonly onOutcome: (outcome: AttemptOutcome) => void;
  /** Called for every attempt, also cancelled ones, in the form for display. Must not throw. */
  readonly onAttempt?: ((line: RequestLine) => void) | undefined;
  /** Called with what lacks a scope, after every change. Must not throw. */
  readonly onRefused?: ((refused: readonly Refusal[]) => void) | undefined;
  /** Largest decoded body in bytes; default 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
}
