/**
 * The program of the threads that seal files and hash them. They are separate threads, so that a file passes through
 * both at once. The bytes are in memory shared with the main thread.
 */
import type { ProfileHashing } from '../../../core/features/evidence/cid/profiles.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { answerMessages } from '../../threads/answering.ts';
import type { SpoolMessages } from './messages.ts';
import { plainChunkBytes } from './sealedFile.ts';
import { Sealing } from './sealing.ts';

/** Loaded when needed: without the importer, the sealing thread starts faster. */
async function newHashing(): Promise<ProfileHashing> {
  const { ProfileHashing } = await import('../../../core/features/evidence/cid/profiles.ts');
  return new ProfileHashing();
}

const sealings = new Map<number, Sealing>();
const hashings = new Map<number, { readonly hashing: ProfileHashing; readonly memory: SharedArrayBuffer }>();

function jobOf<T>(jobs: ReadonlyMap<number, T>, job: number): T {
  const found = jobs.get(job);
  if (!found) throw new StorageError('broken', 'there is no such job');
  return found;
}

function giveUp({ job }: { readonly job: number }): null {
  sealings.get(job)?.giveUp();
  sealings.delete(job);
  hashings.delete(job);
  return null;
}

/** An incomplete file is of no use, and takes space that is scarce. */
const orGiveUp =
  <R extends { readonly job: number }, A>(work: (request: R) => A | Promise<A>) =>
  async (request: R): Promise<A> => {
    try {
      return await work(request);
    } catch (error) {
      giveUp(request);
      throw error;
    }
  };

answerMessages<SpoolMessages>({
  beginSealing: orGiveUp((request) => {
    sealings.set(request.job, new Sealing(request));
    return null;
  }),
  seal: orGiveUp(({ job, filled }) => {
    jobOf(sealings, job).seal(filled);
    return null;
  }),
  finishSealing: orGiveUp(async ({ job }) => {
    await jobOf(sealings, job).finish();
    sealings.delete(job);
    return null;
  }),
  beginHashing: orGiveUp(async ({ job, memory }) => {
    hashings.set(job, { hashing: await newHashing(), memory });
    return null;
  }),
  hash: orGiveUp(({ job, filled: { slot, bytes } }) => {
    const { hashing, memory } = jobOf(hashings, job);
    hashing.write(new Uint8Array(memory, slot * plainChunkBytes, bytes));
    return null;
  }),
  finishHashing: orGiveUp(async ({ job }) => {
    const facts = await jobOf(hashings, job).hashing.finish();
    hashings.delete(job);
    return facts;
  }),
  leave: ({ job }) => {
    sealings.get(job)?.leave();
    sealings.delete(job);
    return null;
  },
  giveUp,
});
