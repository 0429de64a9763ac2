import type { Exports } from '../../../../src-preload/contract/index.ts';

export const exportsAtStart: Exports = { jobs: [] };
