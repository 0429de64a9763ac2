import type { ApiConnection } from '../../../src-preload/contract/index.ts';
import type { InfrastructureApi } from '../api/infrastructure.ts';
import type { TimestampUnit } from '../domain/range.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import type { ConsoleStore } from '../store/consoleStore.ts';
import type { RetentionPolicy } from './retention.ts';
import type { Said } from '../words/say.ts';

export interface IncidentSyncOptions {
  readonly api: Pick<InfrastructureApi, 'listIncidents'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly stationTime: Pick<StationTime, 'stationNow'>;
  readonly unit: TimestampUnit;
  /** The time between two reads of the newest window, milliseconds. */
  readonly intervalMs: number;
  readonly requestsPerMinute: number;
  readonly retention: RetentionPolicy;
  readonly connection: () => ApiConnection['state'];
  /** The ledger's text, to be kept with the rows that are in the store now; once in a few seconds at most. */
  readonly onLedger?: (text: string) => void;
  /** Something an operator must hear once, as a sentence. */
  readonly onNotice?: (said: Said) => void;
}
