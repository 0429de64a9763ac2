import { Packr } from 'msgpackr';
import {
  helloSchema,
  packerOptions,
  pageMessageSchema,
  type ConsoleMessage,
  type PageMessage,
} from '../../../src-preload/contract/index.ts';

/**
 * The browser host's wire: MessagePack in binary WebSocket messages. The protocol itself, its names,
 * limits and close codes, is described where the page can see it too: src-preload/contract/wire.ts.
 */
export interface WireCodec {
  encode(message: ConsoleMessage): Uint8Array;
  /** The page's message, or null for bytes that are no MessagePack or not of the protocol. */
  decode(bytes: Uint8Array): PageMessage | null;
}

export function createWireCodec(): WireCodec {
  const packer = new Packr(packerOptions);
  return {
    encode: (message) => packer.pack(message),
    decode: (bytes) => {
      let value: unknown;
      try {
        value = packer.unpack(bytes);
      } catch {
        return null;
      }
      const message = pageMessageSchema.safeParse(value);
      if (message.success) return message.data;
      const hello = helloSchema.safeParse(value);
      return hello.success ? hello.data : null;
    },
  };
}
