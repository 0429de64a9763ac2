import type { Watch } from '../../../../src-preload/contract/index.ts';

/** The state before a vault is open, and after it is closed. */
export const notesAtStart: Watch = {
  revision: 0,
  pins: [],
  noted: [],
  notes: 0,
  shift: null,
  damaged: 0,
  lost: null,
  problem: null,
};
