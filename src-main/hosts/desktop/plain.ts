import { largestMessage } from '../../../src-preload/contract/index.ts';

/** Deeper than any request of the contract. */
const deepest = 32;

/**
 * Whether a value that came over IPC is plain data: no accessors, no prototypes of its own, nothing
 * that a later merge could turn into one, no cycle, and no larger than the browser host lets a message
 * be. Nothing of it is run or copied to find that out.
 */
export function isPlain(value: unknown): boolean {
  let bytes = 0;
  const look = (part: unknown, depth: number): boolean => {
    if (typeof part === 'string') bytes += Buffer.byteLength(part);
    else bytes += 8;
    if (bytes > largestMessage || depth > deepest) return false;
    if (part === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof part)) return true;
    if (typeof part !== 'object') return false;
    const list = Array.isArray(part);
    // An empty list may claim any length, and a check of each of its places would take as long.
    if (list) bytes += part.length;
    if (bytes > largestMessage) return false;
    const prototype: unknown = Object.getPrototypeOf(part);
    if (prototype !== (list ? Array.prototype : Object.prototype) && prototype !== null) return false;
    for (const key of Reflect.ownKeys(part)) {
      if (list && key === 'length') continue;
      if (typeof key !== 'string' || key === '__proto__') return false;
      const property = Object.getOwnPropertyDescriptor(part, key);
      if (property === undefined || !('value' in property)) return false;
      bytes += Buffer.byteLength(key);
      if (!look(property.value, depth + 1)) return false;
    }
    return true;
  };
  return look(value, 0);
}
