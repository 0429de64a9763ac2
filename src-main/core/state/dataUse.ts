import type { ConsoleStore } from './consoleStore.ts';

type Slices = Pick<ConsoleStore, 'slice'>;

/** Polls are so many times as far apart where data is saved. */
const savedShare = 4;

export const isSavingData = (store: Slices): boolean => store.slice('line').saving;

/** The time between two polls that are usually `ms` apart, milliseconds. */
export const pollMs = (store: Slices, ms: number): number => (isSavingData(store) ? savedShare * ms : ms);

/** Whether the hour's data is used up: only decisions, sign-in, health, missions and the newest incidents do not wait. */
export const isUsedUp = (store: Slices): boolean => store.slice('line').limit?.state === 'used-up';

/** How many bytes the hour has left. */
export function bytesLeft(store: Slices): number {
  const { limit } = store.slice('line');
  return limit === null || limit.state === 'exceeded' ? Infinity : Math.max(0, limit.bytes - limit.used);
}
