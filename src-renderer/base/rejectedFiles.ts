import { shallowRef, type ShallowRef } from 'vue';
import type { Failure } from '../../src-preload/contract/index.ts';

/** A file that was refused before the console had it. */
interface RejectedFile {
  readonly key: number;
  readonly fileName: string;
  readonly failure: Failure;
}

export interface RejectedFiles {
  readonly rejected: ShallowRef<readonly RejectedFile[]>;
  reject(fileName: string, failure: Failure): void;
  /** @param key of the one that has been read; null for all. */
  forgetRejected(key: number | null): void;
}

/** The files that a list did not take, each with the reason, until the operator has read it. */
export function useRejectedFiles(): RejectedFiles {
  const rejected = shallowRef<readonly RejectedFile[]>([]);
  let nextKey = 0;
  return {
    rejected,
    reject: (fileName, failure) => {
      nextKey += 1;
      rejected.value = [...rejected.value, { key: nextKey, fileName, failure }];
    },
    forgetRejected: (key) => {
      rejected.value = key === null ? [] : rejected.value.filter((file) => file.key !== key);
    },
  };
}
