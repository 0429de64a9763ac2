import { createHash } from 'node:crypto';

/**
 * Whether a console is among the first `percent` that are told of a release. Drawn anew for each
 * release, so that it is not always the same stations that try it first.
 */
export function isAmong(percent: number, consoleId: string, sequence: number): boolean {
  const digest = createHash('sha256')
    .update(`${consoleId} ${String(sequence)}`)
    .digest();
  return (digest.readUInt32BE(0) / 4_294_967_296) * 100 < percent;
}
