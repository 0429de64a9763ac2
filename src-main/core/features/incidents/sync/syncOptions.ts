import type { ApiConnection } from '../../../../../src-preload/contract/index.ts';
import type { Message } from '../../../base/messages/message.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { InfrastructureApi } from '../../../service/api/infrastructure.ts';
import type { Line } from '../../../service/transport/line.ts';
import type { Account, FeatureOptions } from '../../../vault/account.ts';
import type { TimestampUnit } from '../range.ts';
import type { RetentionPolicy } from './retention.ts';

export interface IncidentSyncOptions extends Pick<Account, 'scope'>, FeatureOptions {
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'provenNow'>;
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly line: Pick<Line, 'readsAtOnce' | 'lastRate'>;
  readonly unit: TimestampUnit;
  /** The limit that is asked for first; null for none. */
  readonly pageSize: number | null;
  /** The time between two reads of the newest window, milliseconds. */
  readonly intervalMs: number;
  readonly requestsPerMinute: number;
  /** What is read again may cost so much; null for what the line allows. */
  readonly bytesPerHour: number | null;
  readonly retention: RetentionPolicy;
  readonly connection: () => ApiConnection['state'];
  /** The ledger's text, to be stored with the rows that are in the store now. Called at most once in a few seconds. */
  readonly onLedger?: (text: string) => void;
  /** A sentence that the operator must see once. */
  readonly onNotice?: (said: Message) => void;
}
