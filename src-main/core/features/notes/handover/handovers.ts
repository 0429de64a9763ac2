import {
  failed,
  longestSuccessor,
  longestSummary,
  ok,
  type Failure,
  type Handover,
  type HandoversState,
  type Result,
} from '../../../../../src-preload/contract/index.ts';
import { failedNow, type Refusal } from '../../../base/failure.ts';
import { cappedText } from '../../../base/json.ts';
import { message } from '../../../base/messages/message.ts';
import type { Account, FeatureOptions } from '../../../vault/account.ts';
import { cleanNote } from '../noteText.ts';
import { mostReaders, type HandoverRepository, type StoredHandover } from './handoverRepository.ts';

export const handoversAtStart: HandoversState = { pending: null, unseen: false, taken: null, problem: null };

export interface HandoversOptions
  extends Pick<Account, 'scope' | 'username'>, Pick<FeatureOptions, 'store' | 'random' | 'serverTime'> {
  readonly repository: HandoverRepository;
  readonly onTakenOver: (handover: Pick<Handover, 'from'>) => void;
}

/** The author's part of a handover. */
export interface GivenHandover extends Pick<
  Handover,
  'from' | 'summary' | 'successor' | 'counts' | 'actions'
> {
  /** When the shift began. A second handover of the same shift replaces the first. */
  readonly shift: number;
}

/** Handing over and taking over, for the account whose vault is open. Owns the slice `handovers`. */
export class Handovers {
  readonly #options: HandoversOptions;

  constructor(options: HandoversOptions) {
    const { scope, store } = options;
    this.#options = options;
    scope.onEnd(() => {
      store.set('handovers', handoversAtStart);
    });
  }

  /** Shows the handovers for this operator. Never rejects. */
  load(): Promise<void> {
    return this.#options.repository.change(() => {
      this.#publish();
      return Promise.resolve();
    });
  }

  /** Stores a handover. Returns why that failed, or null. */
  give({ summary, successor, shift, from, ...open }: GivenHandover): Promise<Failure | null> {
    const { random, serverTime, repository } = this.#options;
    return repository.change(async () => {
      const given: StoredHandover = {
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
      const others = repository.stored.filter(
        (one) => one.from !== given.from || one.shift !== shift || one.takenOver !== null,
      );
      return this.#put([...others, given]);
    });
  }

  /** Marks a handover as seen by the operator who is signed in, so that it does not open again automatically. */
  see(id: string): Promise<Result<null>> {
    const { repository, username } = this.#options;
    return repository.change(async () => {
      const found = repository.stored.find((one) => one.id === id);
      if (!found) return failedNow(this.#options, noSuchHandover);
      const isAuthor = found.from === cappedName(username);
      const seen = isAuthor
        ? { ...found, authorKnows: true }
        : { ...found, seenBy: [...new Set([...found.seenBy, username])].slice(-mostReaders) };
      // It counts as seen even when that cannot be written: it is shown once more after a restart.
      repository.keep(replaced(repository.stored, seen));
      await this.#put(repository.stored);
      return ok(null);
    });
  }

  /** Records that the operator who is signed in takes over. */
  takeOver(id: string): Promise<Result<null>> {
    const { repository, username } = this.#options;
    return repository.change(async () => {
      const found = repository.stored.find((one) => one.id === id);
      if (!found || found.from === cappedName(username)) {
        return failedNow(this.#options, noSuchHandover);
      }
      if (found.takenOver !== null) return failedNow(this.#options, takenAlready(found.takenOver.by));
      const takenOver = { by: cappedName(username), at: this.#options.serverTime.serverNow() };
      const failure = await this.#put(replaced(repository.stored, { ...found, takenOver }));
      if (failure) return failed(failure);
      this.#options.onTakenOver(found);
      return ok(null);
    });
  }

  async #put(changed: readonly StoredHandover[]): Promise<Failure | null> {
    const failure = await this.#options.repository.put(changed);
    this.#publish();
    return failure;
  }

  #publish(): void {
    const { scope, username, repository, store } = this.#options;
    if (scope.isOver) return;
    const name = cappedName(username);
    const all = repository.stored.toReversed();
    const waiting = all.filter(({ from, takenOver }) => from !== name && takenOver === null);
    const unseen = waiting.find(({ seenBy }) => !seenBy.includes(username)) ?? null;
    const taken = all.find(
      ({ from, takenOver, authorKnows }) => from === name && takenOver !== null && !authorKnows,
    );
    store.set('handovers', {
      pending: shown(unseen ?? waiting[0] ?? null),
      unseen: unseen !== null,
      taken: taken?.takenOver ? { id: taken.id, givenAt: taken.at, ...taken.takenOver } : null,
      problem: repository.problem,
    });
  }
}

const noSuchHandover: Refusal = { code: 'not-found', sentence: message('handover.gone'), remedy: null };
const takenAlready = (by: string): Refusal => ({
  code: 'conflict',
  sentence: message('handover.takenAlready', { by }),
  remedy: null,
});
const cappedName = (username: string): string => cappedText(username, 1_000);

const replaced = (stored: readonly StoredHandover[], by: StoredHandover): readonly StoredHandover[] =>
  stored.map((one) => (one.id === by.id ? by : one));

/** A handover for pages: without the list of its readers. */
const shown = (stored: StoredHandover | null): Handover | null => {
  if (stored === null) return null;
  const { shift: _shift, seenBy: _seenBy, authorKnows: _authorKnows, ...handover } = stored;
  return handover;
};
