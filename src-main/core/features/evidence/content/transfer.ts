import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../base/failure.ts';
import { message } from '../../../base/messages/message.ts';
import type { Clock, Random } from '../../../base/ports.ts';
import type { IncomingFile, SpooledFacts } from '../../../vault/records.ts';
import { StorageError } from '../../../vault/storage.ts';
import { storageFailure } from '../../../vault/storageFailure.ts';
import { verdictOf } from '../cid/verdict.ts';
import {
  ContentFetch,
  FetchFailed,
  type AskGateway,
  type Fetched,
  type GatewayForms,
} from './contentFetch.ts';
import { contentFacts, headBytes } from './contentKind.ts';
import type { ContentStore } from './contentStore.ts';

export interface TransferOptions {
  readonly cid: string;
  /** The text that is the same for every spelling of the CID. */
  readonly content: string;
  readonly gateways: readonly string[];
  readonly forms: GatewayForms;
  readonly ask: AskGateway;
  readonly store: ContentStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly serverNow: () => number;
  readonly signal: AbortSignal;
  readonly mostBytes: number;
  /** Makes room for so many bytes; a failure where there is none. */
  readonly makeRoom: (bytes: number) => Promise<Failure | null>;
  /** Waits until so many more bytes may come. */
  readonly pace: (bytes: number) => Promise<void>;
  readonly onProgress: (received: number, total: number | null) => void;
}

/** How much may come before it is known how much will. */
const roomStep = 16 * 1024 * 1024;

/**
 * Brings the file that a CID names into the vault: sealed as it comes, held against the CID, and added only then.
 *
 * @returns null when it is there, else why not. Nothing of a file that is not added stays. Never rejects.
 */
export async function transfer(options: TransferOptions): Promise<Failure | null> {
  const { store, serverNow } = options;
  let begun: { readonly id: string; readonly file: IncomingFile } | null = null as {
    readonly id: string;
    readonly file: IncomingFile;
  } | null;
  try {
    // When the first byte comes: most of what fails, fails before, and takes no memory of the spool.
    const target = async (): Promise<{ readonly id: string; readonly file: IncomingFile }> =>
      (begun ??= await store.begin());
    const head = new Uint8Array(headBytes);
    let received = 0;
    let total: number | null = null;
    let room = 0;
    const reserve = async (bytes: number): Promise<void> => {
      if (bytes <= room) return;
      room = Math.max(bytes, room + roomStep);
      const failure = await options.makeRoom(room);
      if (failure !== null) throw new FetchFailed(failure);
    };
    const fetched = await new ContentFetch({
      ...options,
      onSize: async (bytes) => {
        total = bytes;
        const failure = await options.makeRoom(bytes);
        if (failure !== null) throw new FetchFailed(failure);
        room = Math.max(room, bytes);
        options.onProgress(received, total);
      },
      write: async (bytes) => {
        await options.pace(bytes.byteLength);
        await reserve(received + bytes.byteLength);
        if (received < headBytes) head.set(bytes.subarray(0, headBytes - received), received);
        await (await target()).file.write(bytes);
        received += bytes.byteLength;
        options.onProgress(received, total);
      },
    }).run();
    const { id, file } = await target();
    const spooled = await file.finish();
    const refused = refusalOf(fetched, options.cid, spooled, serverNow());
    if (refused !== null) {
      await store.discard(id);
      return refused;
    }
    await store.add({
      id,
      content: options.content,
      bytes: spooled.bytes,
      isVerified: isVerified(fetched, options.cid, spooled),
      facts: contentFacts(head.subarray(0, Math.min(received, headBytes))),
      usedAt: serverNow(),
    });
    return null;
  } catch (error) {
    await begun?.file.discard();
    if (error instanceof FetchFailed) return error.failure;
    const at = serverNow();
    return error instanceof StorageError
      ? storageFailure(error.reason, at)
      : makeFailure({ code: 'internal', at });
  }
}

const isVerified = (fetched: Fetched, cid: string, spooled: SpooledFacts): boolean =>
  fetched === 'blocks' || verdictOf({ ...spooled, claimed: cid }).verdict === 'match';

/** What bytes that came as they are may not be: others than the CID names, or a page that nothing can be held against. */
function refusalOf(fetched: Fetched, cid: string, spooled: SpooledFacts, at: number): Failure | null {
  if (fetched === 'blocks') return null;
  switch (verdictOf({ ...spooled, claimed: cid }).verdict) {
    case 'match':
      return null;
    case 'differs':
      return makeFailure({ code: 'content-mismatch', at });
    case 'not-verifiable':
      if (fetched !== 'page') return null;
      return makeFailure({
        code: 'answered-by-something-else',
        at,
        sentence: message('gateway.somethingElse'),
        remedy: message('gateway.again'),
      });
  }
}
