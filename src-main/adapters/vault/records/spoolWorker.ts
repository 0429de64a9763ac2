/**
 * The program of the threads that seal files and hash them. The two are threads of their own, so that
 * a file passes through both at once; the bytes lie in memory that they share with the main thread.
 */
import { parentPort } from 'node:worker_threads';
import { SerialQueue } from '../../../core/base/queues.ts';
import type { ProfileHashing } from '../../../core/features/evidence/cid/profiles.ts';
import { storageErrorOf } from '../reason.ts';
import type { FromThread, SpoolAnswers, SpoolQuestion, ToThread } from './messages.ts';
import { plainChunkBytes } from './sealedFile.ts';
import { Sealing } from './sealing.ts';

type Answer = SpoolAnswers[SpoolQuestion['kind']];

/** Read when it is needed: the thread that seals begins sooner without the importer. */
async function newHashing(): Promise<ProfileHashing> {
  const { ProfileHashing } = await import('../../../core/features/evidence/cid/profiles.ts');
  return new ProfileHashing();
}

function serve(port: NonNullable<typeof parentPort>): void {
  const sealings = new Map<number, Sealing>();
  const hashings = new Map<
    number,
    { readonly hashing: ProfileHashing; readonly memory: SharedArrayBuffer }
  >();
  /** Questions are answered one after the other, whether an answer takes a turn of the thread or not. */
  const answers = new SerialQueue();

  const post = (message: FromThread): void => port.postMessage(message);

  function jobOf<T>(jobs: ReadonlyMap<number, T>, job: number): T {
    const found = jobs.get(job);
    if (!found) throw new Error('There is no such job');
    return found;
  }

  function giveUp(job: number): void {
    sealings.get(job)?.giveUp();
    sealings.delete(job);
    hashings.delete(job);
  }

  async function answer(question: SpoolQuestion): Promise<Answer> {
    const { job } = question;
    switch (question.kind) {
      case 'begin-sealing':
        sealings.set(job, new Sealing(question));
        return null;
      case 'seal':
        jobOf(sealings, job).seal(question.filled);
        return null;
      case 'finish-sealing':
        await jobOf(sealings, job).finish();
        sealings.delete(job);
        return null;
      case 'begin-hashing':
        hashings.set(job, { hashing: await newHashing(), memory: question.memory });
        return null;
      case 'hash': {
        const { hashing, memory } = jobOf(hashings, job);
        const { slot, bytes } = question.filled;
        hashing.write(new Uint8Array(memory, slot * plainChunkBytes, bytes));
        return null;
      }
      case 'finish-hashing': {
        const facts = await jobOf(hashings, job).hashing.finish();
        hashings.delete(job);
        return facts;
      }
      case 'give-up':
        giveUp(job);
        return null;
    }
  }

  async function reply({ id, question }: ToThread<SpoolQuestion>): Promise<void> {
    try {
      post({ id, answer: await answer(question) });
    } catch (error) {
      // A file that could not be written as a whole is worth nothing, and takes space that is short.
      giveUp(question.job);
      const { reason, message } = storageErrorOf(error);
      post({ id, reason, detail: message });
    }
  }

  port.on('message', (message: ToThread<SpoolQuestion>) => {
    void answers.run(() => reply(message));
  });
}

if (parentPort) serve(parentPort);
