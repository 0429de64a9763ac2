import { ascii, imageFormat, imageSize } from '../../base/imageHeader.ts';

/** Facts about an image tile, from its bytes. */
export interface ImageFacts {
  readonly type: 'png' | 'jpg' | 'webp' | 'avif';
  /** Null where the format has them further inside (AVIF). */
  readonly width: number | null;
  readonly height: number | null;
  /** The image ends with its format's end mark, or the format has none. */
  readonly whole: boolean;
}

/** Recognises an image by its bytes, never by a name. Null for anything else. */
export function readImage(bytes: Uint8Array): ImageFacts | null {
  const format = imageFormat(bytes);
  const { byteLength: length } = bytes;
  switch (format) {
    case null:
    // No map has tiles of this format.
    case 'gif':
      return null;
    case 'avif':
      return { type: 'avif', width: null, height: null, whole: length > 64 };
    case 'png': {
      const size = length >= 24 ? imageSize(format, bytes) : null;
      return {
        type: 'png',
        ...(size ?? none),
        whole: size !== null && ascii(bytes, length - 8, 4) === 'IEND',
      };
    }
    case 'jpeg': {
      const size = imageSize(format, bytes);
      return { type: 'jpg', ...(size ?? none), whole: size !== null };
    }
    case 'webp': {
      const size = length >= 30 ? imageSize(format, bytes) : null;
      // RIFF gives the length after its own eight bytes; a cut file has fewer bytes.
      const whole =
        length >= 30 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true) + 8 <= length + 1;
      return { type: 'webp', ...(size ?? none), whole };
    }
  }
}

const none = { width: null, height: null } as const;
