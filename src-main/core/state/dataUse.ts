import type { ConsoleStore } from './consoleStore.ts';

type Slices = Pick<ConsoleStore, 'slice'>;

/** Polls are so many times as far apart where data is saved. */
const savedShare = 4;

export const isSavingData = (store: Slices): boolean => store.slice('line').saving;

/** The time between two polls that are usually `ms` apart, milliseconds. */
export const pollMs = (store: Slices, ms: number): number => (isSavingData(store) ? savedShare * ms : ms);
