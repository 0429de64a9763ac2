import { expect, it } from 'vitest';
import {
  contentFacts,
  headBytes,
  type ContentFacts,
} from '../../../../../src-main/core/features/evidence/content/contentKind.ts';
import { GifFrames } from '../../../../../src-main/core/features/evidence/content/gifFrames.ts';

/** The facts of a file that comes in pieces. */
function factsOf(file: Uint8Array, piece = 65_536): ContentFacts {
  const frames = new GifFrames();
  for (let at = 0; at < file.byteLength; at += piece) frames.take(file.subarray(at, at + piece));
  return contentFacts(file.subarray(0, headBytes), frames);
}

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
const two = (value: number): number[] => [value & 255, value >>> 8];
type Sides = readonly [number, number];
/** A frame with one block of data, and the code size before it. */
const frame = (size: Sides, at: Sides = [0, 0], flags = 0, table: readonly number[] = []): number[] =>
  [[0x2c], ...[...at, ...size].map(two), [flags], table, [2, 2, 0x4c, 0x01, 0]].flat();
/** An application extension of so many bytes. */
const filling = (length: number): number[] => [
  0x21,
  0xff,
  ...Array.from({ length: Math.ceil(length / 256) }, () => [
    255,
    ...new Array<number>(255).fill(0x2c),
  ]).flat(),
  0,
];
const gif = (screen: Sides, ...blocks: readonly (readonly number[])[]): Uint8Array =>
  bytes('GIF89a', screen.flatMap(two), [0, 0, 0], ...blocks, [0x3b]);
/** With global colours. */
const colourful = (screen: Sides, ...blocks: readonly (readonly number[])[]): Uint8Array =>
  bytes('GIF87a', screen.flatMap(two), [0x81, 0, 0], new Array<number>(12).fill(0x2c), ...blocks);
const many = (count: number, size: Sides): number[] =>
  Array.from({ length: count }, () => frame(size)).flat();

it.each([
  ['one frame', gif([320, 240], frame([320, 240])), 'picture', 320, 240],
  ['frames within the screen', gif([320, 240], frame([9, 9], [300, 200]), filling(9)), 'picture', 320, 240],
  [
    'colours of file and frame',
    colourful([9, 8], frame([9, 8], [0, 0], 0x80, [0x2c, 0, 1, 2, 2, 2]), frame([20, 8])),
    'picture',
    20,
    8,
  ],
  ['a frame larger than the screen', gif([10, 10], frame([20, 30])), 'picture', 20, 30],
  ['a frame beside the screen', gif([10, 10], frame([10, 10], [50, 60])), 'picture', 60, 70],
  ['a huge frame', gif([10, 10], frame([20_000, 20_000])), 'too-large', 20_000, 20_000],
  ['a long frame', gif([10, 10], frame([40_000, 1])), 'too-large', 40_000, 10],
  ['a frame far outside', gif([10, 10], frame([1, 1], [60_000, 60_000])), 'too-large', 60_001, 60_001],
  [
    'a huge second frame',
    gif([10, 10], frame([10, 10]), frame([20_000, 20_000])),
    'too-large',
    20_000,
    20_000,
  ],
  ['a huge frame behind colours', colourful([9, 9], frame([20_000, 20_000])), 'too-large', 20_000, 20_000],
  [
    'a huge frame behind 300 KiB of something else',
    gif([10, 10], frame([10, 10]), filling(300 * 1_024), frame([20_000, 20_000])),
    'too-large',
    20_000,
    20_000,
  ],
  ['an animation of 1080p', gif([1_920, 1_080], many(1_000, [1_920, 1_080])), 'picture', 1_920, 1_080],
  ['one of more frames', gif([1_920, 1_080], many(1_020, [1_920, 1_080])), 'too-large', 1_920, 1_080],
  ['one frame of 100 megapixels', gif([10_000, 10_000], frame([10_000, 10_000])), 'picture', 10_000, 10_000],
  ['two frames of half of it', gif([7_000, 7_000], many(2, [7_000, 7_000])), 'picture', 7_000, 7_000],
  [
    'three, with small ones',
    gif([7_000, 7_000], frame([7_000, 7_000]), many(2, [1, 1])),
    'too-large',
    7_000,
    7_000,
  ],
  ['many of a third', gif([5_700, 5_700], many(8, [5_700, 5_700])), 'picture', 5_700, 5_700],
  [
    'a block of no known kind',
    gif([10, 10], frame([10, 10]), [0x2a], frame([9, 9])),
    'too-large',
    null,
    null,
  ],
  [
    'something behind its end',
    bytes([...gif([10, 10], frame([10, 10]))], many(1, [20_000, 20_000])),
    'picture',
    10,
    10,
  ],
] as const)('measures a GIF by its frames: %s', (_name, file, kind, width, height) => {
  for (const piece of file.byteLength < 1_024 ? [1, 7, 65_536] : [1_021, 65_536]) {
    expect(factsOf(file, piece)).toMatchObject({ kind, mediaType: 'image/gif', width, height });
  }
});

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
  expect(factsOf(head)).toMatchObject({ kind, mediaType, width, height });
});

it('says nothing wrong of any beginning of a file', () => {
  for (const whole of [png(640, 480), jpeg(640, 480), avif(640, 480), gif([640, 480], frame([640, 480]))]) {
    for (let length = 0; length < whole.byteLength; length += 1) {
      const { kind, width } = factsOf(whole.subarray(0, length));
      expect(kind === 'picture' ? width : 640).toBe(640);
    }
  }
});
