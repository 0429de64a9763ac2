import { expect, it } from 'vitest';
import { contentFacts } from '../../../../../src-main/core/features/evidence/content/contentKind.ts';

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
  );
const four = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
const png = (width: number, height: number): Uint8Array =>
  bytes('\x89PNG\r\n\x1a\n', four(13), 'IHDR', four(width), four(height), [8, 6, 0, 0, 0]);
const jpeg = (width: number, height: number): Uint8Array =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8],
    four(height).slice(2),
    four(width).slice(2),
    [3, 0, 0],
  );
const avif = (width: number, height: number): Uint8Array =>
  bytes(four(28), 'ftypavif', four(0), 'avifmif1miaf', four(20), 'ispe', four(0), four(width), four(height));

it.each([
  ['png', png(640, 480), 'picture', 'image/png', 640, 480],
  ['jpeg', jpeg(4_000, 3_000), 'picture', 'image/jpeg', 4_000, 3_000],
  ['gif', bytes('GIF89a', [0x40, 1, 0xf0, 0]), 'picture', 'image/gif', 320, 240],
  [
    'webp',
    bytes('RIFF', four(40), 'WEBPVP8X', four(10), [0, 0, 0, 0], [63, 1, 0], [239, 0, 0]),
    'picture',
    'image/webp',
    320,
    240,
  ],
  ['avif', avif(800, 600), 'picture', 'image/avif', 800, 600],
  ['mp4', bytes(four(24), 'ftypisom', four(0), 'isommp42'), 'video', 'video/mp4', null, null],
  [
    'webm',
    bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84], 'webm'),
    'video',
    'video/webm',
    null,
    null,
  ],
  [
    'svg',
    bytes('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'other',
    'application/octet-stream',
    null,
    null,
  ],
  ['html', bytes('<!doctype html><script>1</script>'), 'other', 'application/octet-stream', null, null],
  ['pdf', bytes('%PDF-1.7\n'), 'other', 'application/octet-stream', null, null],
  [
    'matroska that is no webm',
    bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x88], 'matroska'),
    'other',
    'application/octet-stream',
    null,
    null,
  ],
  ['a bomb of a png', png(60_000, 60_000), 'too-large', 'image/png', 60_000, 60_000],
  ['one of sides that may be', png(20_000, 20_000), 'too-large', 'image/png', 20_000, 20_000],
  [
    'a jpeg without a frame',
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]),
    'too-large',
    'image/jpeg',
    null,
    null,
  ],
  ['a picture without a pixel', png(0, 480), 'too-large', 'image/png', 0, 480],
  ['nothing', new Uint8Array(0), 'other', 'application/octet-stream', null, null],
] as const)('tells %s by its bytes', (_name, head, kind, mediaType, width, height) => {
  expect(contentFacts(head)).toMatchObject({ kind, mediaType, width, height });
});

it('says nothing wrong of any beginning of a file', () => {
  for (const whole of [png(640, 480), jpeg(640, 480), avif(640, 480)]) {
    for (let length = 0; length < whole.byteLength; length += 1) {
      const { kind, width } = contentFacts(whole.subarray(0, length));
      expect(kind === 'picture' ? width : 640).toBe(640);
    }
  }
});
