import type { ApiConnection } from '../../../../../src-preload/contract/index.ts';
import type { Message } from '../../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { InfrastructureApi } from '../../../service/api/infrastructure.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { Account } from '../../../vault/account.ts';
import type { TimestampUnit } from '../range.ts';
import type { RetentionPolicy } from './retention.ts';

export interface IncidentSyncOptions extends Pick<Account, 'scope'> {
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly unit: TimestampUnit;
  /** The time between two reads of the newest window, milliseconds. */
  readonly intervalMs: number;
  readonly requestsPerMinute: number;
  readonly retention: RetentionPolicy;
  readonly connection: () => ApiConnection['state'];
  /** The ledger's text, to be kept with the rows that are in the store now; once in a few seconds at most. */
  readonly onLedger?: (text: string) => void;
  /** Something an operator must hear once, as a sentence. */
  readonly onNotice?: (said: Message) => void;
}
