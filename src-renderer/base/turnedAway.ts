import { shallowRef, type ShallowRef } from 'vue';
import type { Failure } from '../../src-preload/contract/index.ts';

/** A file that was refused before the console had it. */
interface Turned {
  readonly key: number;
  readonly fileName: string;
  readonly failure: Failure;
}

export interface TurnedAway {
  readonly turnedAway: ShallowRef<readonly Turned[]>;
  turnAway(fileName: string, failure: Failure): void;
  /** @param key of the one that has been read; null for all. */
  forgetTurned(key: number | null): void;
}

/** The files that a list did not take, each with the reason, until the operator has read it. */
export function useTurnedAway(): TurnedAway {
  const turnedAway = shallowRef<readonly Turned[]>([]);
  let nextKey = 0;
  return {
    turnedAway,
    turnAway: (fileName, failure) => {
      nextKey += 1;
      turnedAway.value = [...turnedAway.value, { key: nextKey, fileName, failure }];
    },
    forgetTurned: (key) => {
      turnedAway.value = key === null ? [] : turnedAway.value.filter((turned) => turned.key !== key);
    },
  };
}
