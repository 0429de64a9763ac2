import { z } from 'zod';
import {
  failed,
  handoverSchema,
  longestSuccessor,
  longestSummary,
  ok,
  type Failure,
  type Handover,
  type HandoversState,
  type Result,
} from '../../../../../src-preload/contract/index.ts';
import { makeFailure, type FailureParts } from '../../../base/failure.ts';
import { cappedText } from '../../../base/json.ts';
import { message, type Message } from '../../../base/messages/message.ts';
import type { Logger, Random } from '../../../base/ports.ts';
import { SerialQueue } from '../../../base/queues.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import { storing } from '../../../vault/storageFailure.ts';
import { cleanNote } from '../noteText.ts';
import { parsedText } from '../parsedText.ts';
import type { HandoverFiles } from './handoverFiles.ts';

export const handoversAtStart: HandoversState = { pending: null, unseen: false, taken: null, problem: null };

export const mostHandovers = 20;
export const handoverDays = 30;
/** Accounts that have seen one; so many sign in at no console. */
const mostReaders = 200;
const dayMs = 86_400_000;

/** `shift`: when the shift began that was handed over. `authorKnows`: who took over. */
const storedSchema = handoverSchema.extend({
  shift: z.number(),
  seenBy: z.array(z.string()).max(mostReaders),
  authorKnows: z.boolean(),
});
type Stored = z.infer<typeof storedSchema>;
const fileSchema = z.strictObject({
  version: z.literal(1),
  handovers: z.array(storedSchema).max(mostHandovers),
});

export interface HandoversOptions {
  readonly store: ConsoleStore;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'verified'>;
  /** Null for a deployment of which nothing is stored: handovers end with the connection to it. */
  readonly files: HandoverFiles | null;
  /** The deployment and its origin, as 32 hexadecimal digits. */
  readonly deployment: string;
  readonly onNotice: (said: Message) => void;
  readonly onTakenOver: (handover: Pick<Handover, 'from'>) => void;
}

/** What an operator gives to the next one. */
export interface GivenHandover extends Pick<
  Handover,
  'from' | 'summary' | 'successor' | 'counts' | 'actions'
> {
  /** When the shift began: handing the same one over again replaces what was handed over before. */
  readonly shift: number;
}

/**
 * The handovers of one deployment on this computer, which every account that signs in there may read. Vaults belong to
 * an account, so these lie outside of them (docs/adr/0036). Owns the slice `handovers`.
 */
export class Handovers {
  readonly #options: HandoversOptions;
  /** The latest last. By the order of writing, which clocks that jump cannot disturb. */
  #stored: readonly Stored[] = [];
  #loaded = false;
  #problem: Failure | null = null;
  #username: string | null = null;
  readonly #queue = new SerialQueue();

  constructor(options: HandoversOptions) {
    this.#options = options;
  }

  /** An operator signed in. Never rejects. */
  start(username: string): Promise<void> {
    this.#username = username;
    return this.#change(() => {
      this.#publish();
      return Promise.resolve();
    });
  }

  stop(): void {
    this.#username = null;
    this.#options.store.set('handovers', handoversAtStart);
  }

  /** Stores a handover; answers why it could not be, null where it was. */
  give({ summary, successor, shift, from, ...open }: GivenHandover): Promise<Failure | null> {
    return this.#change(async () => {
      const { random, serverTime } = this.#options;
      const given: Stored = {
        ...open,
        id: Buffer.from(random.bytes(16)).toString('hex'),
        from: cappedName(from),
        at: serverTime.serverNow(),
        summary: cleanNote(summary).slice(0, longestSummary),
        successor: cleanNote(successor).slice(0, longestSuccessor),
        takenOver: null,
        shift,
        seenBy: [],
        authorKnows: false,
      };
      const others = this.#stored.filter(
        (one) => one.from !== given.from || one.shift !== shift || one.takenOver !== null,
      );
      return this.#put([...others, given]);
    });
  }

  /** Counts as seen by the operator who is signed in, and is not shown by itself again. */
  see(id: string): Promise<Result<null>> {
    return this.#change(async () => {
      const username = this.#username;
      const found = this.#stored.find((one) => one.id === id);
      if (username === null || !found) return this.#fail(noSuchHandover);
      const isAuthor = found.from === cappedName(username);
      const seen = isAuthor
        ? { ...found, authorKnows: true }
        : { ...found, seenBy: [...new Set([...found.seenBy, username])].slice(-mostReaders) };
      // Seen all the same where that cannot be written: then it is shown once more after a restart.
      this.#stored = replaced(this.#stored, seen);
      await this.#put(this.#stored);
      return ok(null);
    });
  }

  /** Records that the operator who is signed in takes over. */
  takeOver(id: string): Promise<Result<null>> {
    return this.#change(async () => {
      const username = this.#username;
      const found = this.#stored.find((one) => one.id === id);
      if (username === null || !found || found.from === cappedName(username)) {
        return this.#fail(noSuchHandover);
      }
      if (found.takenOver !== null) return this.#fail(takenAlready(found.takenOver.by));
      const takenOver = { by: cappedName(username), at: this.#options.serverTime.serverNow() };
      const failure = await this.#put(replaced(this.#stored, { ...found, takenOver }));
      if (failure) return failed(failure);
      this.#options.onTakenOver(found);
      return ok(null);
    });
  }

  async #load(): Promise<void> {
    const { files, deployment, logger, serverTime, onNotice } = this.#options;
    if (this.#loaded || files === null) return;
    const now = (): number => serverTime.serverNow();
    const reading = await storing({ what: 'handovers', logger, now }, async () =>
      ok(await files.read(deployment)),
    );
    if (!reading.ok) {
      this.#problem = reading.failure;
      return;
    }
    const found = reading.value;
    if (found.kind === 'shut') {
      this.#problem = this.#failure(shut);
      return;
    }
    const file = found.kind === 'text' ? fileSchema.safeParse(parsedText(found.text)).data : undefined;
    if (found.kind !== 'none' && !file) {
      const aside = await storing({ what: 'handovers', logger, now }, async () => {
        await files.setAside(deployment, now());
        return ok(null);
      });
      // What could not be moved away would be overwritten.
      if (!aside.ok) {
        this.#problem = aside.failure;
        return;
      }
      logger.warn('handovers-set-aside');
      onNotice(message('handover.setAside'));
    }
    this.#stored = file?.handovers ?? [];
    this.#problem = null;
    this.#loaded = true;
  }

  /** Writes all of them; in memory they change once they are written. */
  async #put(changed: readonly Stored[]): Promise<Failure | null> {
    const { files, deployment, logger, serverTime } = this.#options;
    const stored = this.#bounded(changed);
    if (files !== null) {
      if (!this.#loaded) return this.#problem;
      const text = JSON.stringify({ version: 1, handovers: stored });
      const written = await storing(
        { what: 'handovers', logger, now: () => serverTime.serverNow() },
        async () => ok(await files.write(deployment, text)),
      );
      this.#problem = !written.ok ? written.failure : written.value === 'shut' ? this.#failure(shut) : null;
    }
    if (this.#problem === null) this.#stored = stored;
    this.#publish();
    return this.#problem;
  }

  /** A clock that nothing has verified may be years off: it forgets none. */
  #bounded(stored: readonly Stored[]): readonly Stored[] {
    const { serverTime } = this.#options;
    const oldest = serverTime.verified() ? serverTime.serverNow() - handoverDays * dayMs : -Infinity;
    return stored.filter(({ at }) => at >= oldest).slice(-mostHandovers);
  }

  #publish(): void {
    const username = this.#username;
    if (username === null) return;
    const name = cappedName(username);
    const all = this.#bounded(this.#stored).toReversed();
    const waiting = all.filter(({ from, takenOver }) => from !== name && takenOver === null);
    const unseen = waiting.find(({ seenBy }) => !seenBy.includes(username)) ?? null;
    const taken = all.find(
      ({ from, takenOver, authorKnows }) => from === name && takenOver !== null && !authorKnows,
    );
    this.#options.store.set('handovers', {
      pending: shown(unseen ?? waiting[0] ?? null),
      unseen: unseen !== null,
      taken: taken?.takenOver ? { id: taken.id, givenAt: taken.at, ...taken.takenOver } : null,
      problem: this.#problem,
    });
  }

  /** One after the other, each on what could be read by then. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => this.#load().then(work));
  }

  #failure(parts: Omit<FailureParts, 'at'>): Failure {
    return makeFailure({ ...parts, at: this.#options.serverTime.serverNow() });
  }

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(this.#failure(parts));
  }
}

type Refusal = Omit<FailureParts, 'at'>;
const noSuchHandover: Refusal = { code: 'not-found', sentence: message('handover.gone'), remedy: null };
const takenAlready = (by: string): Refusal => ({
  code: 'conflict',
  sentence: message('handover.takenAlready', { by }),
  remedy: null,
});
const shut: Refusal = {
  code: 'storage-failed',
  sentence: message('handover.shut'),
  remedy: message('handover.shutRemedy'),
};

const cappedName = (username: string): string => cappedText(username, 1_000);

const replaced = (stored: readonly Stored[], by: Stored): readonly Stored[] =>
  stored.map((one) => (one.id === by.id ? by : one));

/** As pages see it: who has read it is no page's business. */
const shown = (stored: Stored | null): Handover | null => {
  if (stored === null) return null;
  const { shift: _shift, seenBy: _seenBy, authorKnows: _authorKnows, ...handover } = stored;
  return handover;
};
