/** The thread that alone touches a database of actions and seals what goes into it. */
import { parentPort } from 'node:worker_threads';
import { storageErrorOf } from '../reason.ts';
import type { DatabaseAnswers, DatabaseQuestion, FromThread, ToThread } from './messages.ts';
import { RecordDatabase } from './recordDatabase.ts';

type Asked = ToThread<DatabaseQuestion>;
type Write = ToThread<Extract<DatabaseQuestion, { kind: 'write' }>>;

const isWrite = (asked: Asked): asked is Write => asked.question.kind === 'write';

function serve(port: NonNullable<typeof parentPort>): void {
  const waiting: Asked[] = [];
  let database: RecordDatabase | null = null;

  const post = (message: FromThread): void => port.postMessage(message);
  const fail = (id: number, error: unknown): void => {
    const { reason, message } = storageErrorOf(error);
    post({ id, reason, detail: message });
  };
  const opened = (): RecordDatabase => {
    if (!database) throw new Error('No database is open');
    return database;
  };

  /** Writes that wait one behind the other become durable together, with one wait for the disk. */
  function writeAll(group: readonly Write[]): void {
    try {
      opened().write(group.flatMap(({ question }) => question.rows));
      const { counter } = opened();
      for (const { id } of group) post({ id, answer: counter });
    } catch (error) {
      if (group.length === 1) for (const { id } of group) fail(id, error);
      // One of them may be too much for the disk where the others are not.
      else for (const one of group) writeAll([one]);
    }
  }

  function answer(question: DatabaseQuestion): DatabaseAnswers[keyof DatabaseAnswers] {
    switch (question.kind) {
      case 'open':
        database?.close();
        database = new RecordDatabase(question);
        return { lost: database.lost, rollback: database.rollback };
      case 'rows':
        return opened().rows(question.table);
      case 'write':
        opened().write(question.rows);
        return opened().counter;
      case 'close':
        database?.close();
        database = null;
        return null;
    }
  }

  function work(): void {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (isWrite(next)) {
        const group = [next];
        for (let [following] = waiting; following && isWrite(following); [following] = waiting) {
          waiting.shift();
          group.push(following);
        }
        writeAll(group);
        continue;
      }
      try {
        post({ id: next.id, answer: answer(next.question) });
      } catch (error) {
        fail(next.id, error);
      }
    }
  }

  port.on('message', (message: Asked) => {
    waiting.push(message);
    // After the messages that came with this one, so that writes find each other.
    setImmediate(work);
  });
}

if (parentPort) serve(parentPort);
