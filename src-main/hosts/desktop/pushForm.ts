import { Packr } from 'msgpackr';
import { packerOptions, type Push } from '../../../src-preload/contract/index.ts';

/** Up to here an object costs less than packing and unpacking it, in bytes. */
const largestObject = 16_384;

const packer = new Packr(packerOptions);

/**
 * A push as it goes over the bridge. Electron copies an object twice property by property, and an array of bytes
 * whole: what is large goes as one, in the packing of the browser host's wire.
 */
export function pushForm(push: Push): Push | Uint8Array {
  const packed = packer.pack(push);
  // A copy: msgpackr gives a part of a larger buffer, and all of that would go along.
  return packed.byteLength > largestObject ? new Uint8Array(packed) : push;
}
