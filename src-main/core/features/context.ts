import type { z } from 'zod';
import type {
  AlarmSettings,
  ApiConnection,
  Result,
  ShiftEntry,
  VerbDeclarations,
} from '../../../src-preload/contract/index.ts';
import { createEvents, type Events } from '../base/events.ts';
import type { Moments } from '../base/failure.ts';
import type { BasePorts } from '../base/ports.ts';
import type { Scope } from '../base/scope.ts';
import type { ServerTime } from '../base/serverTime.ts';
import type { CoordinationApi } from '../service/api/coordination.ts';
import type { InfrastructureApi } from '../service/api/infrastructure.ts';
import type { GatewayClient } from '../service/gateway/gatewayClient.ts';
import type { Session } from '../service/session/operatorSession.ts';
import type { Line } from '../service/transport/line.ts';
import type { ApiName } from '../service/transport/request.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import type { Account } from '../vault/account.ts';
import type { AttemptVault } from '../vault/attemptVault.ts';
import type { VaultSession } from '../vault/vaultSession.ts';
import type { Deployment } from './deployments/schema.ts';
import type { Downloads } from './exports/downloads.ts';
import type { Policy } from './policy/policy.ts';
import type { Ports } from './ports.ts';

/** What an action of the operator adds to the log of the shift. */
export type ShiftLine = Pick<ShiftEntry, 'kind'> &
  Partial<Pick<ShiftEntry, 'subject' | 'alarm' | 'incidentId' | 'outcome'>>;

export interface AppEvents {
  readonly 'shift-line': ShiftLine;
}

export interface DeploymentEvents extends AppEvents {
  /** The computer woke up. */
  readonly wake: null;
  /** There is another token. */
  readonly token: null;
  /** An API answers again. The line to the other may be back too, whose lists wait for minutes after an outage. */
  readonly online: ApiName;
  /** Time passed, or the connection to the Infrastructure API changed: for what does not depend on the session. */
  readonly tick: null;
  /** Time passed, or the session or a connection changed. */
  readonly review: null;
  /** The operator lets everything continue for the rest of this hour. */
  readonly 'limit-exceeded': null;
}

export interface AccountEvents extends DeploymentEvents {
  /** The list of evidence was read without a failure. */
  readonly 'evidence-read': null;
  /** The account ends: these settings decide how the end of its session sounds. */
  readonly 'alarms-ended': { readonly settings: AlarmSettings; readonly mutedUntil: number | null };
}

/** What the features of the application are made with. */
export interface AppContext
  extends Pick<BasePorts, 'clock' | 'random' | 'logger'>, Moments, Events<AppEvents> {
  readonly scope: Scope;
  readonly ports: Ports;
  readonly store: ConsoleStore;
  readonly policy: Policy;
  /** Of the console. */
  readonly version: string;
  readonly downloads: Downloads;
}

/** What the features of one deployment are made with. Their timers belong to its scope, and end with it. */
export interface DeploymentContext
  extends Omit<AppContext, keyof Events<AppEvents>>, Events<DeploymentEvents> {
  readonly deployment: Deployment;
  readonly infrastructure: InfrastructureApi;
  readonly coordination: CoordinationApi;
  readonly line: Line;
  /** Null where no evidence may be fetched from gateways. */
  readonly gateways: GatewayClient | null;
  readonly session: Session;
  readonly vault: VaultSession;
  readonly serverTime: ServerTime;
  readonly connection: (api: ApiName) => ApiConnection;
}

/** What the features of one operator are made with, while the vault is open. */
export interface AccountContext
  extends Omit<DeploymentContext, 'vault' | keyof Events<DeploymentEvents>>, Events<AccountEvents>, Account {
  /** Of the sign-in attempt. */
  readonly vault: AttemptVault;
}

/** An account without the service. */
export type LocalAccount = Omit<AccountContext, Exclude<keyof DeploymentContext, keyof AppContext>>;

/** The functions for verbs. The dispatcher has read their requests by schema, and allowed them. */
export type VerbHandlers<D extends VerbDeclarations> = {
  readonly [V in keyof D]: (
    request: z.output<D[V]['request']>,
  ) => Result<z.output<D[V]['reply']>> | Promise<Result<z.output<D[V]['reply']>>>;
};

/** The context of the operator whose vault is open, on a deployment. `isLoaded`: whether the stored data are. */
export const accountContext = (
  deployment: DeploymentContext,
  { scope, username }: Pick<Account, 'scope' | 'username'>,
  isLoaded: () => boolean,
): AccountContext => ({
  ...deployment,
  ...{ scope, username, clock: scope.clock },
  ...{ vault: deployment.vault.current, records: deployment.vault.current.records },
  ...createEvents<DeploymentEvents, AccountEvents>(scope, deployment, isLoaded),
});

/** Whether requests can be signed now. `waiting`: they can be later without an operator. */
export function signingOf({ session }: Pick<DeploymentContext, 'session'>): 'live' | 'waiting' | 'ended' {
  const { session: state } = session.snapshot();
  switch (state.state) {
    case 'active':
      return 'live';
    case 'renewing':
    case 'waiting':
      return state.expiresAt === null ? 'waiting' : 'live';
    case 'tokens-refused':
      return 'waiting';
    case 'none':
    case 'signing-in':
    case 'rejected':
      return 'ended';
  }
}
