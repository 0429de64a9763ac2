import {
  ok,
  type Content,
  type ContentsState,
  type FailureCode,
  type Result,
} from '../../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../../base/messages/message.ts';
import { Timer } from '../../../base/timer.ts';
import { isSavingData, isUsedUp } from '../../../state/dataUse.ts';
import { parseCid } from '../cid/parse.ts';
import { ContentStore, type ContentsAccount } from './contentStore.ts';
import { FetchQueue } from './fetchQueue.ts';
import { KeptContents } from './keptContents.ts';
import { Tickets } from './tickets.ts';

/** A file that a page reads. */
export interface OpenedContent {
  readonly bytes: number;
  readonly mediaType: string;
  /** Whether the page can show it (a picture or a video). Other files are only saved. */
  readonly isShown: boolean;
  /** Aborted when the file is closed. */
  readonly signal: AbortSignal;
  /** The bytes from `start` to before `end`, decrypted piece by piece. */
  pieces(start: number, end: number): AsyncIterable<Uint8Array>;
}

const progressMs = 200;
/** The bytes of evidence: what an operator does with them, and what the page shows. */
export class EvidenceFiles {
  readonly #account: ContentsAccount;
  readonly #stored: ContentStore | null;
  readonly #kept: KeptContents;
  readonly #tickets: Tickets;
  /** Null where no evidence may be fetched. */
  readonly #queue: FetchQueue | null;
  #revision = 0;
  #isReady = false;
  readonly #progress: Timer;

  /** `addressesOf`: addresses under the gateways that items give for a content. */
  constructor(account: ContentsAccount, addressesOf: (content: string) => readonly string[]) {
    const { scope, records, store } = account;
    this.#account = account;
    this.#kept = new KeptContents(account);
    this.#tickets = new Tickets(account);
    const isPinned = (content: string): boolean => this.#kept.has(content) || this.#tickets.holds(content);
    this.#stored = records && new ContentStore(account, records.contents, isPinned);
    this.#progress = new Timer(scope.clock, () => this.#tell());
    this.#queue = this.#newQueue(addressesOf);
    // A running fetch ends, and continues from there afterwards.
    let [wasSaving, wasUsedUp] = [isSavingData(store), isUsedUp(store)];
    scope.onEnd(
      store.watch('line', () => {
        const [saving, usedUp] = [isSavingData(store), isUsedUp(store)];
        if (saving === wasSaving && usedUp === wasUsedUp) return;
        [wasSaving, wasUsedUp] = [saving, usedUp];
        if (saving || usedUp) this.#queue?.pauseBackground(usedUp ? 'all' : 'later');
        this.#changed();
      }),
    );
    scope.onEnd(store.watch('lock', ({ locked }) => locked && this.#tickets.clear()));
    scope.onEnd(() => {
      this.#queue?.end();
      this.#tickets.clear();
      store.set('contents', contentsAtStart);
    });
    scope.defer(async () => {
      await this.#queue?.settled();
      await this.#stored?.settled();
    });
  }

  /** Reads the stored files and the list of what is to be fetched. Never rejects. */
  async load(): Promise<void> {
    await Promise.all([this.#stored?.load(), this.#kept.load()]);
    if (this.#account.scope.isOver) return;
    this.#isReady = true;
    for (const [content, cid] of this.#kept.entries()) this.#want(content, cid, false);
    this.#changed();
  }

  /** The state of a content's bytes; null where it may not be fetched and is not stored. */
  fileOf(content: string): Content | null {
    const kept = this.#kept.has(content);
    const stored = this.#stored?.find(content) ?? null;
    if (stored !== null) {
      const { kind, mediaType, width, height } = stored.facts;
      return {
        state: stored.isVerified ? 'verified' : 'unverified',
        file: { kind, mediaType, bytes: stored.bytes, width, height },
        kept,
        failure: null,
      };
    }
    const wanted = this.#queue?.find(content) ?? null;
    if (wanted === null) {
      return this.#account.gateways === null ? null : { state: 'absent', file: null, kept, failure: null };
    }
    const { failure } = wanted;
    const state =
      failure?.code === 'content-mismatch' && wanted.state === 'failed' ? 'mismatch' : wanted.state;
    return { state, file: null, kept, failure };
  }

  /** An operator asks for the bytes of a CID (`soon`), or a list that shows it does. */
  want(cid: string, soon: boolean): Result<null> {
    const refused = this.#refusal();
    if (refused !== null) return refused;
    const parsed = parseCid(cid);
    if (parsed === null) return this.#refuse('bad-request', message('evidence.notCid'));
    // A list asks at every scroll: after a failure only an operator can ask again.
    if (!soon && this.#queue?.find(parsed.content)) return ok(null);
    this.#want(parsed.content, cid, soon);
    this.#changed();
    return ok(null);
  }

  cancel(cid: string): Result<null> {
    const content = parseCid(cid)?.content ?? '';
    this.#queue?.cancel(content);
    if (this.#kept.has(content)) this.#kept.set([{ content, cid }], false);
    this.#changed();
    return ok(null);
  }

  /** Marks CIDs to stay on this computer, and fetches those that are missing; or ends that. */
  keep(cids: readonly string[], kept: boolean): Result<{ count: number }> {
    const refused = kept ? this.#refusal() : null;
    if (refused !== null) return refused;
    const contents = cids.flatMap((cid) => {
      const content = parseCid(cid)?.content;
      return content === undefined ? [] : [{ cid, content }];
    });
    const count = this.#kept.set(contents, kept);
    for (const { content, cid } of contents) {
      // A CID beyond the limit of marked ones is not fetched either.
      if (this.#kept.has(content)) this.#want(content, cid, false);
      else this.#queue?.unkeep(content);
    }
    this.#changed();
    return ok({ count });
  }

  /** For these CIDs: how many there are, how many are not stored here, and how many more can be marked. */
  count(cids: readonly string[]): { count: number; missing: number; room: number } {
    const contents = new Set(cids.flatMap((cid) => parseCid(cid)?.content ?? []));
    const missing = [...contents].filter((content) => !this.#stored?.find(content)).length;
    return { count: contents.size, missing, room: this.#kept.room };
  }

  /**
   * Opens stored bytes for a page. With `unverified`, also bytes that cannot be verified, after a warning to the
   * operator.
   */
  open(cid: string, unverified: boolean): Result<{ ticket: string }> {
    const stored = this.#stored?.find(parseCid(cid)?.content ?? '') ?? null;
    if (stored === null) return this.#refuse('not-found', message('content.notHere'));
    if (!stored.isVerified && !unverified) return this.#refuse('policy-forbids', message('content.askFirst'));
    this.#stored?.use(stored.content);
    return ok({ ticket: this.#tickets.issue(stored.content) });
  }

  close(ticket: string): Result<null> {
    this.#tickets.close(ticket);
    return ok(null);
  }

  /** The file of a ticket; null when it is not open, and while the console is locked. */
  opened(ticket: string): OpenedContent | null {
    const store = this.#stored;
    const open = this.#tickets.find(ticket);
    const stored = open === null ? null : (store?.find(open.content) ?? null);
    if (store === null || open === null || stored === null) return null;
    const { bytes, facts } = stored;
    return {
      bytes,
      mediaType: facts.mediaType,
      isShown: facts.kind === 'picture' || facts.kind === 'video',
      signal: open.signal,
      pieces: (start, end) => store.read(stored, start, end),
    };
  }

  /** Opens stored bytes for saving. The name's ending says what they are. */
  save(cid: string): Result<{ ticket: string; fileName: string }> {
    const opened = this.open(cid, true);
    if (!opened.ok) return opened;
    const stored = this.#stored?.find(parseCid(cid)?.content ?? '');
    const fileName = `evidence-${cid.slice(-12).replaceAll(/[^\w-]/g, '_')}.${stored?.facts.ending ?? 'bin'}`;
    return ok({ ticket: opened.value.ticket, fileName });
  }

  #want(content: string, cid: string, soon: boolean): void {
    if (!this.#stored?.find(content)) this.#queue?.want(content, cid, soon);
  }

  #refusal(): Result<never> | null {
    const { gateways: client, deployment } = this.#account;
    if (this.#stored === null) return this.#account.refuse({ code: 'storage-failed' });
    if (deployment.gateways.length === 0)
      return this.#refuse('gateway-refused', message('content.noGateway'));
    if (client === null || deployment.evidencePreview === 'off')
      return this.#refuse('policy-forbids', message('content.off'));
    return null;
  }

  #newQueue(addressesOf: (content: string) => readonly string[]): FetchQueue | null {
    const { gateways: client } = this.#account;
    const stored = this.#stored;
    if (client === null || stored === null) return null;
    return new FetchQueue(this.#account, {
      ...{ client, stored, kept: this.#kept, addressesOf },
      onChange: () => {
        this.#changed();
      },
      onProgress: () => {
        this.#progress.setOnce(progressMs);
      },
    });
  }

  #changed(): void {
    if (this.#account.scope.isOver) return;
    this.#revision += 1;
    this.#tell();
    if (this.#isReady) this.#queue?.go();
  }

  #tell(): void {
    const { scope, store, gateways: client, deployment } = this.#account;
    const { evidencePreview: preview, evidenceCache: limitBytes } = deployment;
    if (scope.isOver) return;
    this.#progress.stop();
    let [keptBytes, waiting] = [0, 0];
    for (const [content] of this.#kept.entries()) {
      const stored = this.#stored?.find(content);
      if (stored) keptBytes += stored.bytes;
      else waiting += 1;
    }
    const state: ContentsState = {
      preview: client === null ? 'off' : preview === 'auto' && isSavingData(store) ? 'ask' : preview,
      revision: this.#revision,
      bytes: this.#stored?.bytes ?? 0,
      keptBytes,
      limitBytes,
      kept: this.#kept.size,
      waiting,
      moving: this.#queue?.moving() ?? [],
    };
    store.set('contents', state);
  }

  #refuse(code: FailureCode, sentence: Message): Result<never> {
    return this.#account.refuse({ code, sentence, remedy: null });
  }
}

export const contentsAtStart: ContentsState = {
  preview: 'off',
  revision: 0,
  bytes: 0,
  keptBytes: 0,
  limitBytes: 0,
  kept: 0,
  waiting: 0,
  moving: [],
};
