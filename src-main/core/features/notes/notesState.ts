import type { Watch } from '../../../../src-preload/contract/index.ts';

/** Before a vault brought anything back, and after one was closed. */
export const watchAtStart: Watch = {
  revision: 0,
  pins: [],
  noted: [],
  notes: 0,
  shift: null,
  damaged: 0,
  lost: null,
  problem: null,
};
