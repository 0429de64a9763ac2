import type { Result } from '../../../../src-preload/contract/index.ts';
import { createCoordinationApi, type CoordinationApi } from '../api/coordination.ts';
import { createInfrastructureApi, type InfrastructureApi } from '../api/infrastructure.ts';
import { createLogin, loginOperation } from '../session/login.ts';
import { OperatorSession, type Session, type SessionOptions } from '../session/operatorSession.ts';
import { repeatsSecret } from './echoedSecret.ts';
import { Line } from './line.ts';
import type { Answer, ApiName } from './request.ts';
import { createTransport, type Transport } from './transport.ts';
import type { TransportOptions } from './transportOptions.ts';

export type { ServiceAddress } from './address.ts';

export interface ServiceLinkOptions
  extends Omit<TransportOptions, 'tokens' | 'line'>, Omit<SessionOptions, 'login'> {
  /** What an hour may cost, bytes; null for no limit. */
  readonly bytesPerHour: number | null;
  /** The path of the list of evidence. */
  readonly evidencePath: string;
}

/** The session and the APIs of one deployment. The token never leaves this object. */
export interface ServiceLink {
  readonly session: Session;
  readonly line: Line;
  readonly infrastructure: InfrastructureApi;
  readonly coordination: CoordinationApi;
  /**
   * One request without a token and without a retry, for the self-test. No path of the Coordination API is known to be
   * harmless, so any sensible answer to `/health` shows that it is reachable.
   */
  probe(api: ApiName): Promise<Result<Answer>>;
  /** Whether a text repeats a password or token of the session, or a part of one. */
  repeatsSecret(text: string): boolean;
  /** The network is another one, or the computer slept: no connection from before is used again. */
  dropConnections(): void;
  /** Ends the session, cancels running requests and closes every socket. */
  close(): Promise<void>;
}

/**
 * Connects session and transport: the session logs in through the transport, and the transport gets its tokens from the
 * session. No other part sees the tokens.
 *
 * @throws RangeError for an address that is neither https nor http on loopback, and the error of `X509Certificate` for
 * an invalid private CA.
 */
export function createServiceLink(options: ServiceLinkOptions): ServiceLink {
  const line = new Line(options.clock, options.bytesPerHour);
  const login = createLogin({ ...options, transport: () => transport });
  const session = new OperatorSession({ ...options, login });
  const transport: Transport = createTransport({
    ...options,
    tokens: session.tokens,
    line,
    onOutcome(outcome) {
      line.meters[outcome.api].attempted(outcome.outcome === 'unreachable');
      if (outcome.api === 'infrastructure' && outcome.operation !== loginOperation) {
        if (outcome.outcome === 'answered') session.linkReturned();
        if (outcome.outcome === 'unreachable') session.linkLost();
      }
      options.onOutcome(outcome);
    },
  });
  return {
    session,
    line,
    infrastructure: createInfrastructureApi({ transport, evidencePath: options.evidencePath }),
    coordination: createCoordinationApi({ transport }),
    probe: (api) =>
      transport.send({
        api,
        operation: 'probe',
        method: 'GET',
        path: '/health',
        authorization: 'none',
        retries: false,
        interactive: true,
      }),
    repeatsSecret: (text) => repeatsSecret(text, session.tokens.secrets()),
    dropConnections: () => {
      transport.dropConnections();
    },
    async close() {
      session.close();
      await transport.close();
    },
  };
}
