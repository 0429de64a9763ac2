import type { ApiConnection, OutboxState } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import type { Account, FeatureOptions } from '../../vault/account.ts';
import type { Deployment } from '../deployments/index.ts';
import type { UploadItem } from './item.ts';

export interface UploadsOptions extends Account, FeatureOptions {
  readonly api: Pick<CoordinationApi, 'upload'>;
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'verified'>;
  readonly upload: Deployment['upload'];
  /** Whether requests can be signed now. `waiting`: they can be later without an operator. */
  readonly session: () => 'live' | 'waiting' | 'ended';
  /** The connection to the Coordination API. */
  readonly connection: () => ApiConnection['state'];
  readonly uploadToken: () => OutboxState['uploadToken'];
  /** Reads the whole list of evidence and looks for one of these CIDs. */
  readonly findEvidence: (cids: readonly string[]) => Promise<'found' | 'not-found' | 'unknown'>;
  /** Called with the number of items whose copy must not be lost: still to be sent, or not proven. At each change. */
  readonly onUnsent: (unsent: number) => void;
  /** A complete file came into the outbox, or was sent. */
  readonly onUpload?: (kind: 'upload-queued' | 'upload-sent', item: UploadItem) => void;
  readonly onNotice: (said: Message) => void;
}
