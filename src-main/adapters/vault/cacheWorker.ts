/** The thread that alone touches a cache's database and seals what goes into it. */
import { parentPort } from 'node:worker_threads';
import type { StoredChange } from '../../core/vault/storage.ts';
import { CacheDatabase } from './cacheDatabase.ts';
import { countClosedCache } from './cacheFile.ts';
import type { CacheAnswers, CacheQuestion, FromWorker, ToWorker } from './messages.ts';
import { storageErrorOf } from './reason.ts';

interface Asked {
  readonly id: number;
  readonly question: CacheQuestion;
}

/** Batches on their way at once: one is parsed over there while the next is opened here. */
const ahead = 2;

function serve(port: NonNullable<typeof parentPort>): void {
  const waiting: Asked[] = [];
  let database: CacheDatabase | null = null;
  let working = false;
  let onTaken: (taken: 'more' | 'stop') => void = () => undefined;

  const post = (message: FromWorker): void => port.postMessage(message);
  const fail = (id: number, error: unknown): void => {
    const { reason, message } = storageErrorOf(error);
    post({ id, reason, detail: message });
  };
  const opened = (): CacheDatabase => {
    if (!database) throw new Error('No cache is open');
    return database;
  };

  /** Writes that wait one behind the other become durable together. */
  function writeAll(group: readonly { readonly id: number; readonly change: StoredChange }[]): void {
    try {
      opened().write(group.map(({ change }) => change));
      for (const { id } of group) post({ id, answer: null });
    } catch (error) {
      if (group.length === 1) for (const { id } of group) fail(id, error);
      // One of them may be too much for the disk where the others are not.
      else for (const one of group) writeAll([one]);
    }
  }

  async function load(id: number): Promise<CacheAnswers['load'] | null> {
    const batches = opened().load();
    let credits = ahead;
    let stopped = false;
    let wake = (): void => undefined;
    onTaken = (taken) => {
      credits += 1;
      stopped ||= taken === 'stop';
      wake();
    };
    const mayGoOn = (least: number): Promise<void> =>
      new Promise((resolve) => {
        wake = () => {
          if (credits >= least || stopped) resolve();
        };
        wake();
      });
    for (;;) {
      await mayGoOn(1);
      if (stopped) return null;
      const step = batches.next();
      if (step.done) {
        // What is asked next must find that everything was taken.
        await mayGoOn(ahead);
        return step.value;
      }
      credits -= 1;
      port.postMessage({ id, batch: step.value } satisfies FromWorker, [step.value.buffer as ArrayBuffer]);
    }
  }

  async function answer<K extends CacheQuestion['kind']>(
    id: number,
    question: Extract<CacheQuestion, { kind: K }>,
  ): Promise<unknown>;
  async function answer(id: number, question: CacheQuestion): Promise<unknown> {
    switch (question.kind) {
      case 'open':
        database?.close();
        database = new CacheDatabase(question);
        return { lost: database.lost } satisfies CacheAnswers['open'];
      case 'count-closed':
        return countClosedCache(question.folder);
      case 'load':
        return load(id);
      case 'document':
        return opened().document(question.name);
      case 'count':
        return opened().count();
      case 'write':
        return opened().write([question.change]);
      case 'close':
        database?.close();
        database = null;
        return null;
    }
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, question } = next;
      if (question.kind === 'write') {
        const group = [{ id, change: question.change }];
        for (;;) {
          const [following] = waiting;
          if (following?.question.kind !== 'write') break;
          waiting.shift();
          group.push({ id: following.id, change: following.question.change });
        }
        writeAll(group);
        continue;
      }
      try {
        post({ id, answer: await answer(id, question) });
      } catch (error) {
        fail(id, error);
      }
    }
    working = false;
  }

  port.on('message', (message: ToWorker) => {
    if ('taken' in message) {
      onTaken(message.taken);
      return;
    }
    waiting.push(message);
    // After the messages that came with this one, so that writes find each other.
    setImmediate(() => void work());
  });
}

if (parentPort) serve(parentPort);
