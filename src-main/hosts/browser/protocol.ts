import { Packr } from 'msgpackr';
import {
  helloSchema,
  isPlainPack,
  largestHello,
  packerOptions,
  pageMessageLimits,
  pageMessageSchema,
  type ConsoleMessage,
  type PackLimits,
  type PageMessage,
} from '../../../src-preload/contract/index.ts';

/**
 * The browser host's wire: MessagePack in binary WebSocket messages. The protocol itself, its names,
 * limits and close codes, is described where the page can see it too: src-preload/contract/wire.ts.
 */
export interface WireCodec {
  encode(message: ConsoleMessage): Uint8Array;
  /** The proof of a first message, or null for bytes that are no hello. Reads nothing over `largestHello`. */
  proofOf(bytes: Uint8Array): string | null;
  /** An admitted page's message, or null for bytes that are not plain MessagePack or not of the protocol. */
  decode(bytes: Uint8Array): PageMessage | null;
}

/** One map with two texts. */
const helloLimits: PackLimits = { depth: 1, values: 5, bytes: false };

export function createWireCodec(): WireCodec {
  const packer = new Packr(packerOptions);
  /** Undefined for what is not within the limits: msgpackr never sees it. */
  const unpack = (bytes: Uint8Array, limits: PackLimits): unknown => {
    if (!isPlainPack(bytes, limits)) return undefined;
    try {
      return packer.unpack(bytes);
    } catch {
      return undefined;
    }
  };
  return {
    encode: (message) => packer.pack(message),
    proofOf: (bytes) => {
      if (bytes.byteLength > largestHello) return null;
      const hello = helloSchema.safeParse(unpack(bytes, helloLimits));
      return hello.success ? hello.data.proof : null;
    },
    decode: (bytes) => {
      const message = pageMessageSchema.safeParse(unpack(bytes, pageMessageLimits));
      return message.success ? message.data : null;
    },
  };
}
