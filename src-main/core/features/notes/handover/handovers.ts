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
import { makeFailure, type FailureParts } from '../../../base/failure.ts';
import { cappedText } from '../../../base/json.ts';
import { message } from '../../../base/messages/message.ts';
import type { Random } from '../../../base/ports.ts';
import type { ServerTime } from '../../../base/serverTime.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { Account } from '../../../vault/account.ts';
import { cleanNote } from '../noteText.ts';
import { mostReaders, type HandoverRepository, type StoredHandover } from './handoverRepository.ts';

export const handoversAtStart: HandoversState = { pending: null, unseen: false, taken: null, problem: null };

export interface HandoversOptions extends Pick<Account, 'scope' | 'username'> {
  readonly store: ConsoleStore;
  readonly random: Random;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  readonly repository: HandoverRepository;
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

/** Giving and taking over, for the account whose vault is open. Owns the slice `handovers`. */
export class Handovers {
  readonly #options: HandoversOptions;

  constructor(options: HandoversOptions) {
    const { scope, store } = options;
    this.#options = options;
    scope.onEnd(() => {
      store.set('handovers', handoversAtStart);
    });
  }

  /** Shows what waits for this operator. Never rejects. */
  load(): Promise<void> {
    return this.#options.repository.change(() => {
      this.#publish();
      return Promise.resolve();
    });
  }

  /** Stores a handover; answers why it could not be, null where it was. */
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

  /** Counts as seen by the operator who is signed in, and is not shown by itself again. */
  see(id: string): Promise<Result<null>> {
    const { repository, username } = this.#options;
    return repository.change(async () => {
      const found = repository.stored.find((one) => one.id === id);
      if (!found) return this.#fail(noSuchHandover);
      const isAuthor = found.from === cappedName(username);
      const seen = isAuthor
        ? { ...found, authorKnows: true }
        : { ...found, seenBy: [...new Set([...found.seenBy, username])].slice(-mostReaders) };
      // Seen all the same where that cannot be written: then it is shown once more after a restart.
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
        return this.#fail(noSuchHandover);
      }
      if (found.takenOver !== null) return this.#fail(takenAlready(found.takenOver.by));
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

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(makeFailure({ ...parts, at: this.#options.serverTime.serverNow() }));
  }
}

type Refusal = Omit<FailureParts, 'at'>;
const noSuchHandover: Refusal = { code: 'not-found', sentence: message('handover.gone'), remedy: null };
const takenAlready = (by: string): Refusal => ({
  code: 'conflict',
  sentence: message('handover.takenAlready', { by }),
  remedy: null,
});
const cappedName = (username: string): string => cappedText(username, 1_000);

const replaced = (stored: readonly StoredHandover[], by: StoredHandover): readonly StoredHandover[] =>
  stored.map((one) => (one.id === by.id ? by : one));

/** As pages see it: who has read it is no page's business. */
const shown = (stored: StoredHandover | null): Handover | null => {
  if (stored === null) return null;
  const { shift: _shift, seenBy: _seenBy, authorKnows: _authorKnows, ...handover } = stored;
  return handover;
};
