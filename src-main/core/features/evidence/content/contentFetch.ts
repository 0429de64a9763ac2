import { CID } from 'multiformats/cid';
import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { doubled, withJitter } from '../../../base/backoff.ts';
import { message } from '../../../base/messages/message.ts';
import { sleep } from '../../../base/sleep.ts';
import {
  GatewayError,
  type GatewayAnswer,
  type GatewayClient,
  type GatewayForm,
} from '../../../service/gateway/gatewayClient.ts';
import {
  CarBlocks,
  checkBlock,
  inlineBytes,
  isHashable,
  mostBlockBytes,
  type BlockSource,
} from './blocks.ts';
import type { ContentPartial, PartialForm } from './contentPartials.ts';
import type { ContentsAccount } from './contentStore.ts';
import { ContentTrouble, type ContentProblem } from './contentTrouble.ts';
import type { GatewayForms } from './gatewayForms.ts';
import { readFile } from './unixfsFile.ts';

/** What a fetch needs of the account. */
export type FetchAccount = Pick<ContentsAccount, 'deployment' | 'clock' | 'random' | 'serverNow' | 'fail'>;

/** What one fetch works with. */
export interface FetchOptions {
  /** In its usual spelling. */
  readonly cid: string;
  /** Addresses under the gateways in items that name the CID. They are tried when no gateway has the CID. */
  readonly addresses: readonly string[];
  readonly forms: GatewayForms;
  readonly ask: GatewayClient['ask'];
  readonly signal: AbortSignal;
}

/** What takes the bytes of a fetch. */
export interface FetchTarget {
  /** The bytes that an earlier fetch stored, and their form; null to begin at the first byte. */
  readonly before: Pick<ContentPartial, 'bytes' | 'form'> | null;
  /** Takes the next bytes of the file. Awaiting it is the back pressure. */
  write(bytes: Uint8Array, form: PartialForm): Promise<void>;
  /** The file's length is known. */
  sized(bytes: number): Promise<void>;
}

/**
 * `blocks`: every byte was verified against the CID when it came. `bytes`: a gateway gave the plain bytes, which still
 * have to be verified. `page`: the same, and the answer was a page.
 */
export type Fetched = 'blocks' | 'bytes' | 'page';

/** A place that may have the file: a gateway by CID, or an item's own address. */
interface Place {
  readonly gateway: string;
  readonly address: string | undefined;
  readonly forms: readonly GatewayForm[];
}

/** The most rounds over all gateways that end without a new byte. */
const mostIdleRounds = 3;
const shortestWaitMs = 1_000;
const longestWaitMs = 15_000;

/** Why a fetch ended without its file. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** Failures after which another try may soon succeed. */
const passing = new Set<Failure['code']>(['unreachable', 'timed-out', 'service-error']);

/**
 * Fetches one file from the gateways in their order: as a CAR, else block by block, else as plain bytes. After a break
 * it continues at the next byte, also at another gateway: bytes that came as blocks are verified.
 */
export class ContentFetch {
  readonly #account: FetchAccount;
  readonly #options: FetchOptions;
  readonly #target: FetchTarget;
  readonly #cid: CID;
  /** Bytes of the file so far. */
  #written: number;
  /** Whether they came as plain bytes: then the rest must too. */
  #asBytes: boolean;
  #isPage = false;

  constructor(account: FetchAccount, options: FetchOptions, target: FetchTarget) {
    this.#account = account;
    this.#options = options;
    this.#target = target;
    this.#cid = CID.parse(options.cid);
    this.#written = target.before?.bytes ?? 0;
    this.#asBytes = target.before?.form === 'bytes';
  }

  /** Rejects with a `FetchFailed`, or with an error of the target. */
  async run(): Promise<Fetched> {
    const { clock, random } = this.#account;
    const { signal } = this.#options;
    if (inlineBytes(this.#cid) !== null) return this.#inline();
    for (let idle = 0; ;) {
      const before = this.#written;
      const failure = await this.#round();
      if (failure === null) return this.#asBytes ? (this.#isPage ? 'page' : 'bytes') : 'blocks';
      idle = this.#written > before ? 0 : idle + 1;
      if (signal.aborted || !passing.has(failure.code) || idle >= mostIdleRounds)
        throw new FetchFailed(failure);
      await sleep(clock, withJitter(doubled(shortestWaitMs, idle, longestWaitMs), random), signal);
    }
  }

  async #inline(): Promise<Fetched> {
    const source: BlockSource = { get: () => Promise.reject(new ContentTrouble('incomplete')) };
    try {
      await this.#blocksFrom(source);
    } catch (error) {
      throw error instanceof ContentTrouble ? new FetchFailed(this.#failureOf(error.problem)) : error;
    }
    return 'blocks';
  }

  /** Tries each gateway once, then each own address. Null when the file is complete, else the most telling failure. */
  async #round(): Promise<Failure | null> {
    let worst: Failure | null = null;
    for (const place of this.#places()) {
      const failure = await this.#from(place);
      if (failure === null) return null;
      if (failure.code === 'cancelled' || failure.code === 'answer-too-large') return failure;
      // Wrong bytes tell more than a silent gateway. A silent gateway tells more than an own address without the file:
      // the gateway may have it later.
      if (worst === null || (worst.code !== 'content-mismatch' && place.address === undefined))
        worst = failure;
    }
    return worst ?? this.#account.fail({ code: 'gateway-refused' });
  }

  /** An own address gives plain bytes only, which cannot continue a file of blocks. */
  *#places(): Generator<Place> {
    const { addresses } = this.#options;
    for (const gateway of this.#account.deployment.gateways)
      yield { gateway, address: undefined, forms: this.#formsFor(gateway) };
    for (const address of addresses) {
      if (this.#asBytes || this.#written === 0) yield { gateway: address, address, forms: ['bytes'] };
    }
  }

  async #from(place: Place): Promise<Failure | null> {
    const { forms, cid } = this.#options;
    let failure: Failure | null = null;
    for (const form of place.forms) {
      try {
        await this.#as(form, place);
        forms.given(place.gateway, form);
        return null;
      } catch (error) {
        if (error instanceof GatewayError) {
          failure = error.failure;
          if (error.otherForm) forms.refused(place.gateway, form, cid, this.#account.clock.elapsed());
          // A gateway may hold blocks of a file that it does not assemble.
          if (error.otherForm || (form === 'bytes' && failure.code === 'not-found')) continue;
          return failure;
        }
        if (!(error instanceof ContentTrouble)) throw error;
        failure = this.#failureOf(error.problem);
        // Fetched one by one, the same blocks come in the right order.
        if (form === 'car' && (error.problem === 'out-of-order' || error.problem === 'incomplete')) continue;
        return failure;
      }
    }
    return failure;
  }

  /**
   * The forms that prove themselves come first, those that this gateway refuses last. Plain bytes only where nothing
   * came yet.
   */
  #formsFor(gateway: string): readonly GatewayForm[] {
    if (this.#asBytes || !isHashable(this.#cid)) return ['bytes'];
    const { forms } = this.#options;
    const all: readonly GatewayForm[] = this.#written > 0 ? ['car', 'block'] : ['car', 'block', 'bytes'];
    const isRefused = (form: GatewayForm): boolean =>
      forms.refuses(gateway, form, this.#account.clock.elapsed());
    return [...all.filter((form) => !isRefused(form)), ...all.filter(isRefused)];
  }

  async #as(form: GatewayForm, { gateway, address }: Place): Promise<void> {
    const { ask, cid } = this.#options;
    if (form === 'block') {
      await this.#blocksFrom({ get: (block) => this.#block(gateway, block) });
      return;
    }
    const offset = this.#written;
    await this.#during(async (signal) => {
      const answer = await ask({ gateway, address, cid, form, offset, signal });
      if (form === 'car') await this.#blocksFrom(new CarBlocks(answer.pieces));
      else await this.#bytesFrom(answer, offset);
    });
  }

  /** Ends the answer with the work: an answer that is not read to its end would hold one of few connections. */
  async #during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const over = new AbortController();
    const end = (): void => {
      over.abort();
    };
    const { signal } = this.#options;
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      await work(over.signal);
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  async #bytesFrom(answer: GatewayAnswer, offset: number): Promise<void> {
    this.#asBytes = true;
    this.#isPage = answer.isPage;
    if (answer.total !== null) await this.#sized(answer.total);
    let skip = offset - answer.from;
    for await (const piece of answer.pieces) {
      const rest = piece.subarray(Math.min(skip, piece.byteLength));
      skip -= piece.byteLength - rest.byteLength;
      if (rest.byteLength > 0) await this.#write(rest);
    }
    if (answer.total !== null && this.#written !== answer.total) throw new ContentTrouble('incomplete');
  }

  async #block(gateway: string, block: CID): Promise<Uint8Array> {
    const { ask, signal } = this.#options;
    const { pieces } = await ask({ gateway, cid: block.toString(), form: 'block', offset: 0, signal });
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const piece of pieces) {
      size += piece.byteLength;
      if (size > mostBlockBytes) throw new ContentTrouble('malformed');
      parts.push(piece);
    }
    const bytes = Buffer.concat(parts);
    checkBlock(block, bytes);
    return bytes;
  }

  async #blocksFrom(source: BlockSource): Promise<void> {
    let size: Promise<void> = Promise.resolve();
    const pieces = readFile({
      root: this.#cid,
      source,
      offset: this.#written,
      onSize: (bytes) => {
        size = this.#sized(bytes);
        // Awaited below.
        size.catch(() => undefined);
      },
    });
    for await (const piece of pieces) {
      await size;
      await this.#write(piece);
    }
    await size;
  }

  async #sized(bytes: number): Promise<void> {
    if (bytes > this.#account.deployment.evidenceCache) throw new ContentTrouble('too-large');
    await this.#target.sized(bytes);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { deployment, fail } = this.#account;
    if (this.#options.signal.aborted) throw new FetchFailed(fail({ code: 'cancelled' }));
    if (this.#written + bytes.byteLength > deployment.evidenceCache) throw new ContentTrouble('too-large');
    await this.#target.write(bytes, this.#asBytes ? 'bytes' : 'blocks');
    this.#written += bytes.byteLength;
  }

  #failureOf(problem: ContentProblem): Failure {
    const { fail } = this.#account;
    switch (problem) {
      case 'mismatch':
        return fail({ code: 'content-mismatch' });
      case 'not-a-file':
        return fail({ code: 'bad-request', sentence: message('content.notAFile'), remedy: null });
      case 'too-large':
        return fail({
          code: 'answer-too-large',
          sentence: message('content.tooLarge'),
          remedy: null,
        });
      case 'incomplete':
        return fail({
          code: 'unreachable',
          sentence: message('content.incomplete'),
          remedy: message('gateway.again'),
        });
      case 'malformed':
      case 'out-of-order':
      case 'unhashable':
        return fail({
          code: 'unreadable-answer',
          sentence: message('content.malformed'),
          remedy: message('gateway.askHolder'),
        });
    }
  }
}
