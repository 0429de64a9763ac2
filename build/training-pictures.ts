/**
 * Makes the pictures and the video of training's evidence (build/assets/training/pictures.json) out of topographic map sheets
 * of the US Geological Survey, which are in the public domain:
 *
 *   node build/training-pictures.ts
 *
 * The file is a test fixture of the PMTiles project (protomaps/PMTiles). A Chromium puts the tiles together and encodes
 * what it drew; each result stays below one chunk of 256 KiB.
 */
import { chromium } from '@playwright/test';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { PMTiles } from 'pmtiles';
import { chromiumLaunch } from '../test/support/chromium.ts';
import { webmOf } from './webm.ts';

const source = new URL('../test/fixtures/maps/usgs-mt-whitney-8-15-webp-512.pmtiles', import.meta.url);
const target = new URL('assets/training/pictures.json', import.meta.url);
const most = 256 * 1024 - 2_048;

const bytes = await readFile(source);
const tiles = new PMTiles({
  getKey: () => source.href,
  getBytes: (offset, length) =>
    Promise.resolve({
      data: bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + offset + length),
    }),
});

/** Data addresses of the tiles of a square of `side`, row by row; null where there is none. */
async function square(zoom: number, x: number, y: number, side: number) {
  const found: (string | null)[] = [];
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const tile = await tiles.getZxy(zoom, x + column, y + row);
      found.push(tile ? `data:image/webp;base64,${Buffer.from(tile.data).toString('base64')}` : null);
    }
  }
  return found;
}

const { minLon, maxLat, maxLon, minLat } = await tiles.getHeader();
const column = (lon: number, zoom: number) => Math.floor(((lon + 180) / 360) * 2 ** zoom);
const line = (lat: number, zoom: number) => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** zoom);
};
const zoom = 15;
const [west, north] = [column(minLon, zoom), line(maxLat, zoom)];
const [east, south] = [column(maxLon, zoom), line(minLat, zoom)];
const side = Math.min(east - west, south - north) + 1;
const mosaic = await square(zoom, west, north, side);

// Encoders of video exist in a secure context only, which loopback is.
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><canvas></canvas>');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const { executablePath, args, headless } = await chromiumLaunch();
const browser = await chromium.launch({ executablePath, args, headless });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${port}/`);

/** What the page's functions share. */
declare global {
  var whole: OffscreenCanvas;
  var text: (blob: Blob) => Promise<string>;
}

await page.evaluate(
  async ({ mosaic, side }) => {
    const whole = new OffscreenCanvas(side * 512, side * 512);
    const context = whole.getContext('2d');
    for (const [at, address] of mosaic.entries()) {
      if (address === null) continue;
      const picture = await createImageBitmap(await (await fetch(address)).blob());
      context?.drawImage(picture, (at % side) * 512, Math.floor(at / side) * 512, 512, 512);
    }
    globalThis.whole = whole;
    globalThis.text = async (blob) => {
      const read = new Uint8Array(await blob.arrayBuffer());
      let characters = '';
      for (const byte of read) characters += String.fromCharCode(byte);
      return btoa(characters);
    };
  },
  { mosaic, side },
);

/** One part of the mosaic, in thousandths of it, as the largest file of a kind that fits. */
async function picture(
  type: string,
  [left, top, part]: readonly [number, number, number],
  [width, height]: readonly [number, number],
) {
  for (let quality = 0.82; quality > 0.2; quality -= 0.06) {
    const encoded = await page.evaluate(
      async ({ type, left, top, part, width, height, quality }) => {
        const canvas = new OffscreenCanvas(width, height);
        const side = globalThis.whole.width;
        const [x, y] = [(left * side) / 1_000, (top * side) / 1_000];
        const length = (part * side) / 1_000;
        canvas
          .getContext('2d')
          ?.drawImage(globalThis.whole, x, y, length, (length * height) / width, 0, 0, width, height);
        return globalThis.text(await canvas.convertToBlob({ type, quality }));
      },
      { type, left, top, part, width, height, quality },
    );
    if (Buffer.from(encoded, 'base64').byteLength <= most) return { mediaType: type, data: encoded };
  }
  throw new Error('It is too large at any quality');
}

const pictures = [
  await picture('image/jpeg', [120, 420, 340], [900, 675]),
  await picture('image/webp', [520, 480, 420], [960, 720]),
  await picture('image/jpeg', [300, 560, 260], [800, 600]),
];

/** A flight across the mosaic: chunks of VP8 with their times. */
const frames = await page.evaluate(async () => {
  const [width, height, rate, count] = [480, 320, 12, 72];
  const chunks: { key: boolean; ms: number; data: number[] }[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      chunks.push({ key: chunk.type === 'key', ms: Math.round(chunk.timestamp / 1_000), data: [...data] });
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({ codec: 'vp8', width, height, bitrate: 240_000, framerate: rate });
  const canvas = new OffscreenCanvas(width, height);
  const side = globalThis.whole.width;
  for (let at = 0; at < count; at += 1) {
    const way = (at / count) * side * 0.25;
    canvas
      .getContext('2d')
      ?.drawImage(
        globalThis.whole,
        way,
        way * 0.7,
        side / 3,
        (side / 3) * (height / width),
        0,
        0,
        width,
        height,
      );
    const frame = new VideoFrame(canvas, { timestamp: (at * 1_000_000) / rate });
    encoder.encode(frame, { keyFrame: at % 24 === 0 });
    frame.close();
  }
  await encoder.flush();
  return { width, height, ms: (count * 1_000) / rate, chunks };
});
const video = webmOf({
  ...frames,
  chunks: frames.chunks.map(({ data, ...chunk }) => ({ ...chunk, data: Uint8Array.from(data) })),
});
if (video.byteLength > most) throw new Error(`The video has ${video.byteLength} bytes`);

await browser.close();
server.close();
const all = [...pictures, { mediaType: 'video/webm', data: Buffer.from(video).toString('base64') }];
await writeFile(target, `${JSON.stringify(all, null, 2)}\n`);
for (const { mediaType, data } of all)
  process.stdout.write(`${mediaType}: ${Buffer.from(data, 'base64').byteLength} bytes\n`);
