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
import type { Refusal } from '../../../base/failure.ts';
import { cappedText } from '../../../base/json.ts';
import { message } from '../../../base/messages/message.ts';
import type { LocalAccount } from '../../context.ts';
import { cleanNote } from '../noteText.ts';
import { mostReaders, type HandoverRepository, type StoredHandover } from './handoverRepository.ts';

export const handoversAtStart: HandoversState = { pending: null, unseen: false, taken: null, problem: null };

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
  readonly #account: LocalAccount;
  readonly #repository: HandoverRepository;

  constructor(account: LocalAccount, repository: HandoverRepository) {
    const { scope, store } = account;
    this.#account = account;
    this.#repository = repository;
    scope.onEnd(() => {
      store.set('handovers', handoversAtStart);
    });
  }

  /** Shows the handovers for this operator. Never rejects. */
  load(): Promise<void> {
    return this.#repository.change(() => {
      this.#publish();
      return Promise.resolve();
    });
  }

  /** Stores a handover. Returns why that failed, or null. */
  give({ summary, successor, shift, from, ...open }: GivenHandover): Promise<Failure | null> {
    const { random, serverNow } = this.#account;
    const repository = this.#repository;
    return repository.change(async () => {
      const given: StoredHandover = {
        ...open,
        id: Buffer.from(random.bytes(16)).toString('hex'),
        from: cappedName(from),
        at: serverNow(),
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
    const { username } = this.#account;
    const repository = this.#repository;
    return repository.change(async () => {
      const found = repository.stored.find((one) => one.id === id);
      if (!found) return this.#account.refuse(noSuchHandover);
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
    const { username } = this.#account;
    const repository = this.#repository;
    return repository.change(async () => {
      const found = repository.stored.find((one) => one.id === id);
      if (!found || found.from === cappedName(username)) {
        return this.#account.refuse(noSuchHandover);
      }
      if (found.takenOver !== null) return this.#account.refuse(takenAlready(found.takenOver.by));
      const takenOver = { by: cappedName(username), at: this.#account.serverNow() };
      const failure = await this.#put(replaced(repository.stored, { ...found, takenOver }));
      if (failure) return failed(failure);
      this.#account.emit('shift-line', { kind: 'taken-over', subject: found.from });
      return ok(null);
    });
  }

  async #put(changed: readonly StoredHandover[]): Promise<Failure | null> {
    const failure = await this.#repository.put(changed);
    this.#publish();
    return failure;
  }

  #publish(): void {
    const { scope, username, store } = this.#account;
    const repository = this.#repository;
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
