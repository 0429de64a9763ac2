import type { Watch } from '../../../src-preload/contract/index.ts';

/** Before a vault brought anything back, and after one was closed. */
export const watchAtStart: Watch = { revision: 0, pins: [], noted: [], shift: null };
