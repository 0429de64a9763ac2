import type { Failure } from '../../src-preload/contract/index.ts';

/** Largest deployment file that the page reads, in bytes; the verb's own limit is in characters. */
export const largestDeploymentFile = 65_536;

const rejected = (code: Failure['code'], sentence: string, remedy: string): Failure => ({
  code,
  sentence,
  remedy,
  status: null,
  requestId: null,
  words: null,
  at: 0,
  retryAt: null,
});

export const tooLarge = rejected(
  'deployment-invalid',
  'This file is larger than 64 KiB, so it is no deployment file.',
  'Choose the JSON file that your administrator gave you.',
);

export const unreadable = rejected(
  'deployment-unreadable',
  'This file could not be read.',
  'See whether it still exists and may be read, then add it again.',
);
