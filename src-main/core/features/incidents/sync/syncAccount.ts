import type { ApiConnection } from '../../../../../src-preload/contract/index.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { InfrastructureApi } from '../../../service/api/infrastructure.ts';
import type { Line } from '../../../service/transport/line.ts';
import type { AttemptVault } from '../../../vault/attemptVault.ts';
import type { LocalAccount } from '../../context.ts';
import type { Deployment } from '../../deployments/index.ts';

/** What reading incidents needs of the account. */
export interface SyncAccount extends LocalAccount {
  readonly infrastructure: Pick<InfrastructureApi, 'listIncidents'>;
  readonly deployment: Pick<Deployment, 'timestampUnit' | 'pollIntervals' | 'sync' | 'retention'>;
  readonly line: Pick<Line, 'readsAtOnce' | 'lastRate'>;
  readonly serverTime: Pick<ServerTime, 'provenNow'>;
  readonly vault: Pick<AttemptVault, 'note' | 'noteLedger'>;
  readonly connection: (api: 'infrastructure') => Pick<ApiConnection, 'state'>;
}

/** What reading lists needs of it. */
export type ListsAccount = Pick<
  SyncAccount,
  'infrastructure' | 'deployment' | 'line' | 'store' | 'serverNow' | 'fail' | 'refuse'
>;
