import type { ApiConnection, OutboxState } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { Account } from '../../vault/account.ts';
import type { Deployment } from '../deployments/index.ts';
import type { UploadItem } from './item.ts';

export interface UploadsOptions extends Account {
  readonly api: Pick<CoordinationApi, 'upload'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'verified'>;
  readonly upload: Deployment['upload'];
  /** Whether requests can be signed now. `waiting`: they will be by themselves. */
  readonly session: () => 'live' | 'waiting' | 'ended';
  /** Of the Coordination API. */
  readonly connection: () => ApiConnection['state'];
  readonly uploadToken: () => OutboxState['uploadToken'];
  /** Reads the list of evidence to its end and looks for one of these CIDs. */
  readonly findEvidence: (cids: readonly string[]) => Promise<'found' | 'not-found' | 'unknown'>;
  /** Called with the number of items that are neither sent nor failed, whenever it changes. */
  readonly onUnsent: (unsent: number) => void;
  /** A file came into the outbox whole, or was sent. */
  readonly onUpload?: (kind: 'upload-queued' | 'upload-sent', item: UploadItem) => void;
  readonly onNotice: (said: Message) => void;
}
