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
 * The browser host's messages: MessagePack in binary WebSocket messages. src-preload/contract/wire.ts describes the
 * protocol, its names, limits and close codes, where the page can use them too.
 */
export interface WireCodec {
  encode(message: ConsoleMessage): Uint8Array;
  /** The proof in a first message, or null when the bytes are not a hello. Reads at most `largestHello` bytes. */
  proofOf(bytes: Uint8Array): string | null;
  /** An admitted page's message, or null for bytes that are not plain MessagePack or not part of the protocol. */
  decode(bytes: Uint8Array): PageMessage | null;
}

/** One map with two texts. */
const helloLimits: PackLimits = { depth: 1, values: 5, bytes: false };

export function createWireCodec(): WireCodec {
  const packer = new Packr(packerOptions);
  /** Undefined for bytes beyond the limits, which msgpackr never gets. */
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
