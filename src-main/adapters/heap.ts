import { setFlagsFromString } from 'node:v8';

/**
 * How far the heap grows beyond what was alive at the last collection before the next one, in percent. On
 * machines with much memory V8 waits for up to 300, so that some large answers leave it hundreds of megabytes.
 */
const growingPercent = 50;
/** The most that a thread's half of the space for new objects takes, in MB where pointers are compressed. */
const newObjects = 8;

/**
 * Bounds what V8 keeps for garbage, in the process and in threads that begin later. The space for the main
 * thread's new objects is measured out when the process starts (build/node-options.mjs).
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${String(growingPercent)}`);
  setFlagsFromString(`--scavenger-max-new-space-capacity-mb=${String(newObjects)}`);
}
