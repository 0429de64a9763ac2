import { StorageError } from '../../core/vault/storage.ts';
import { storageErrorOf } from '../vault/reason.ts';
import type { FromThread, MessageTable, Name, Reply, Request, ToThread } from './messages.ts';
import { threadPort } from './ownerPort.ts';

/**
 * Delivers a piece before the reply. Resolves when one more may follow. The piece's buffer is transferred to the owner.
 * Rejects when the owner's taker failed: the message then ends.
 */
type Give = (piece: Uint8Array) => Promise<void>;

type Handlers<T extends MessageTable<T>> = {
  readonly [K in keyof T]: (request: Request<T, K>, give: Give) => Reply<T, K> | Promise<Reply<T, K>>;
};

/** Waiting messages with the same name, answered together; if that fails, each separately. */
type Together<T extends MessageTable<T>> = {
  readonly [K in keyof T]?: (requests: readonly Request<T, K>[]) => Reply<T, K>;
};

interface Asked<T> {
  readonly id: number;
  readonly name: Name<T>;
  readonly request: never;
}

/** Pieces on their way at once: the owner uses one while this thread makes the next. */
const ahead = 2;

/** Answers the messages of a table in the program, one after another in their order. */
export function answerMessages<T extends MessageTable<T>>(
  handlers: Handlers<T>,
  together: Together<T> = {},
  owner = threadPort(),
): void {
  if (!owner) return;
  const port = owner;
  const waiting: Asked<T>[] = [];
  let working = false;
  let onTaken: (taken: 'more' | 'stop') => void = () => undefined;

  const post = (message: FromThread): void => port.post(message);
  const fail = (id: number, error: unknown): void => {
    const { reason, message } = storageErrorOf(error);
    post({ id, reason, detail: message });
  };

  async function answerOne({ id, name, request }: Asked<T>): Promise<void> {
    let free = ahead;
    let isStopped = false;
    let wake = (): void => undefined;
    onTaken = (taken) => {
      free += 1;
      isStopped ||= taken === 'stop';
      wake();
    };
    const untilFree = async (least: number): Promise<void> => {
      while (free < least && !isStopped) await new Promise<void>((resolve) => (wake = resolve));
    };
    const give: Give = async (piece) => {
      free -= 1;
      port.post({ id, piece }, [piece.buffer as ArrayBuffer]);
      await untilFree(1);
      if (isStopped) throw new StorageError('broken', 'a piece was not taken');
    };
    try {
      const reply = await handlers[name](request, give);
      // The next message must find that all pieces were taken.
      await untilFree(ahead);
      post({ id, reply });
    } catch (error) {
      fail(id, error);
    }
  }

  /** Answers the first message, together with waiting ones of the same name. */
  async function answerNext(first: Asked<T>): Promise<void> {
    const answer = together[first.name];
    if (!answer) return answerOne(first);
    const group = [first];
    while (waiting[0]?.name === first.name) group.push(...waiting.splice(0, 1));
    try {
      const reply = answer(group.map(({ request }) => request));
      for (const { id } of group) post({ id, reply });
    } catch (error) {
      if (group.length === 1) fail(first.id, error);
      // One of them may be too much for the disk where the others are not.
      else for (const one of group) await answerOne(one);
    }
  }

  async function work(): Promise<void> {
    if (working) return;
    working = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) await answerNext(next);
    working = false;
  }

  port.hear((message: ToThread) => {
    if ('taken' in message) {
      onTaken(message.taken);
      return;
    }
    waiting.push(message as Asked<T>);
    // After the messages that came with this one, so that those with the same name are answered together.
    setImmediate(() => void work());
  });
}
