/** A thread whose messages try what a client of threads must bear. */
import process from 'node:process';
import { answerMessages } from '../../../src-main/adapters/threads/answering.ts';
import { StorageError } from '../../../src-main/core/vault/storage.ts';

export interface TrialMessages {
  readonly echo: { readonly request: number; readonly reply: number };
  /** Adds up what this thread was given. */
  readonly add: { readonly request: number; readonly reply: number };
  readonly refuse: { readonly request: null; readonly reply: null };
  /** Never replies. */
  readonly hang: { readonly request: null; readonly reply: null };
  readonly throwOutside: { readonly request: null; readonly reply: null };
  readonly end: { readonly request: null; readonly reply: null };
  /** Gives the numbers up to `request`, and replies with how many messages came before. */
  readonly count: { readonly request: number; readonly reply: number };
  /** Those that wait together are answered with how many they are; a negative one fails. */
  readonly together: { readonly request: number; readonly reply: number };
}

let sum = 0;
let messages = 0;
const never = new Promise<null>(() => undefined);

answerMessages<TrialMessages>(
  {
    echo: (value) => {
      messages += 1;
      return value;
    },
    add: (value) => (sum += value),
    refuse: () => {
      throw new StorageError('full', 'no space');
    },
    hang: () => never,
    throwOutside: () => {
      setImmediate(() => {
        throw new Error('thrown outside');
      });
      return never;
    },
    end: () => process.exit(1),
    count: async (most, give) => {
      for (let at = 1; at <= most; at += 1) await give(Uint8Array.of(at));
      return messages;
    },
    together: (value) => {
      if (value < 0) throw new StorageError('full', 'no space');
      return 1;
    },
  },
  {
    together: (values) => {
      if (values.some((value) => value < 0)) throw new StorageError('full', 'no space');
      return values.length;
    },
  },
);
