import { CID } from 'multiformats/cid';
import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { doubled, withJitter } from '../../../base/backoff.ts';
import { makeFailure } from '../../../base/failure.ts';
import { message } from '../../../base/messages/message.ts';
import type { Clock, Random } from '../../../base/ports.ts';
import {
  GatewayError,
  type GatewayAnswer,
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
import { ContentTrouble, type ContentProblem } from './contentTrouble.ts';
import { readFile } from './unixfsFile.ts';

/** Asks one gateway once (service/gateway/gatewayClient.ts). */
export type AskGateway = (request: {
  readonly gateway: string;
  readonly cid: string;
  readonly form: GatewayForm;
  readonly offset: number;
  readonly signal: AbortSignal;
}) => Promise<GatewayAnswer>;

/** Which form a gateway spoke last: the others are not asked for again. Shared by all fetches. */
export type GatewayForms = Map<string, GatewayForm>;

export interface ContentFetchOptions {
  /** As it is written by custom. */
  readonly cid: string;
  readonly gateways: readonly string[];
  readonly forms: GatewayForms;
  readonly ask: AskGateway;
  readonly clock: Clock;
  readonly random: Random;
  readonly serverNow: () => number;
  readonly signal: AbortSignal;
  /** The most bytes that a file may have. */
  readonly mostBytes: number;
  /** Takes the next bytes of the file; waited for, which is all of the back pressure. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** How long the file is, where that is known. */
  readonly onSize: (bytes: number) => Promise<void>;
}

/**
 * `blocks`: every byte that was written was held against the CID. `bytes`: a gateway gave them as they are, and they
 * are still to be held against it. `page`: the same, and they came as a page.
 */
export type Fetched = 'blocks' | 'bytes' | 'page';

/** Rounds over all gateways that may end without a byte. */
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

/** Of a gateway that answers this, another try soon may help. */
const passing = new Set<Failure['code']>(['unreachable', 'timed-out', 'service-error']);

/**
 * Fetches one file from the gateways in their order: as a CAR, else block by block, else as bytes. Where it is cut, it goes
 * on at the byte that it had come to, also at another gateway: what was written from blocks is known to be right.
 */
export class ContentFetch {
  readonly #options: ContentFetchOptions;
  readonly #cid: CID;
  /** Bytes of the file that were written. */
  #written = 0;
  /** Whether they came as bytes, so that the rest must too. */
  #asBytes = false;
  #isPage = false;

  constructor(options: ContentFetchOptions) {
    this.#options = options;
    this.#cid = CID.parse(options.cid);
  }

  /** Rejects with a `FetchFailed`, or with what writing failed with. */
  async run(): Promise<Fetched> {
    const { clock, random, signal } = this.#options;
    if (inlineBytes(this.#cid) !== null) return this.#inline();
    for (let idle = 0; ;) {
      const before = this.#written;
      const failure = await this.#round();
      if (failure === null) return this.#asBytes ? (this.#isPage ? 'page' : 'bytes') : 'blocks';
      idle = this.#written > before ? 0 : idle + 1;
      if (signal.aborted || !passing.has(failure.code) || idle >= mostIdleRounds)
        throw new FetchFailed(failure);
      await pause(clock, withJitter(doubled(shortestWaitMs, idle, longestWaitMs), random), signal);
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

  /** Each gateway once; null when the file is there, else the failure that says most. */
  async #round(): Promise<Failure | null> {
    let worst: Failure | null = null;
    for (const gateway of this.#options.gateways) {
      const failure = await this.#from(gateway);
      if (failure === null) return null;
      if (failure.code === 'cancelled' || failure.code === 'answer-too-large') return failure;
      // That other bytes came is worth more than that another gateway is silent.
      if (worst?.code !== 'content-mismatch') worst = failure;
    }
    return worst ?? makeFailure({ code: 'gateway-refused', at: this.#options.serverNow() });
  }

  async #from(gateway: string): Promise<Failure | null> {
    let failure: Failure | null = null;
    for (const form of this.#formsFor(gateway)) {
      try {
        await this.#as(form, gateway);
        this.#options.forms.set(gateway, form);
        return null;
      } catch (error) {
        if (error instanceof GatewayError) {
          failure = error.failure;
          if (error.otherForm) continue;
          return failure;
        }
        if (!(error instanceof ContentTrouble)) throw error;
        failure = this.#failureOf(error.problem);
        // The same blocks one by one come in the order that they are asked for in.
        if (form === 'car' && (error.problem === 'out-of-order' || error.problem === 'incomplete')) continue;
        return failure;
      }
    }
    return failure;
  }

  /** What this gateway spoke last comes first. Bytes alone only where nothing else can be, or nothing came yet. */
  #formsFor(gateway: string): readonly GatewayForm[] {
    if (this.#asBytes || !isHashable(this.#cid)) return ['bytes'];
    const known = this.#options.forms.get(gateway);
    const all: readonly GatewayForm[] = this.#written > 0 ? ['car', 'block'] : ['car', 'block', 'bytes'];
    if (known === undefined || known === 'car') return all;
    return [...all.filter((form) => form === known), ...all.filter((form) => form !== known)];
  }

  async #as(form: GatewayForm, gateway: string): Promise<void> {
    const { ask, cid } = this.#options;
    if (form === 'block') {
      await this.#blocksFrom({ get: (block) => this.#block(gateway, block) });
      return;
    }
    const offset = this.#written;
    await this.#during(async (signal) => {
      const answer = await ask({ gateway, cid, form, offset, signal });
      if (form === 'car') await this.#blocksFrom(new CarBlocks(answer.pieces));
      else await this.#bytesFrom(answer, offset);
    });
  }

  /** An answer that is not read to its end would keep its connection, of which there are few. */
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
        // Heard below.
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
    const { mostBytes, onSize } = this.#options;
    if (bytes > mostBytes) throw new ContentTrouble('too-large');
    await onSize(bytes);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { signal, mostBytes, write } = this.#options;
    if (signal.aborted) throw new FetchFailed(this.#cancelled());
    if (this.#written + bytes.byteLength > mostBytes) throw new ContentTrouble('too-large');
    await write(bytes);
    this.#written += bytes.byteLength;
  }

  #cancelled(): Failure {
    return makeFailure({ code: 'cancelled', at: this.#options.serverNow() });
  }

  #failureOf(problem: ContentProblem): Failure {
    const at = this.#options.serverNow();
    switch (problem) {
      case 'mismatch':
        return makeFailure({ code: 'content-mismatch', at });
      case 'not-a-file':
        return makeFailure({ code: 'bad-request', at, sentence: message('content.notAFile'), remedy: null });
      case 'too-large':
        return makeFailure({
          code: 'answer-too-large',
          at,
          sentence: message('content.tooLarge'),
          remedy: null,
        });
      case 'incomplete':
        return makeFailure({
          code: 'unreachable',
          at,
          sentence: message('content.incomplete'),
          remedy: message('gateway.again'),
        });
      case 'malformed':
      case 'out-of-order':
      case 'unhashable':
        return makeFailure({
          code: 'unreadable-answer',
          at,
          sentence: message('content.malformed'),
          remedy: message('gateway.askHolder'),
        });
    }
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      cancel();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const cancel = clock.schedule(ms, over);
    signal.addEventListener('abort', over);
    if (signal.aborted) over();
  });
}
