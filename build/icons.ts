/**
 * Draws the application's icons from src-renderer/design/icon.svg into build/icons:
 * `node build/icons.ts`. The results are committed, so that packaging needs no browser.
 *
 * NxN.png for Linux, icon.ico for Windows, icon.icns for macOS (drawn smaller on its canvas, as the
 * icons beside it in the Dock are).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { chromiumLaunch } from '../test/support/chromium.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'build/icons');
const svg = await readFile(join(root, 'src-renderer/design/icon.svg'), 'utf8');

const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const windowsSizes = [16, 24, 32, 48, 64, 128, 256];
/** Apple's names for a PNG of so many pixels a side; a name with a second size is the one for dense screens. */
const appleNames = {
  icp4: 16,
  ic11: 32,
  icp5: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
};
const appleShare = 824 / 1024;

const { executablePath, args } = await chromiumLaunch();
const browser = await chromium.launch({ executablePath, args });
const page = await browser.newPage();

/** The icon as a PNG of `size` pixels a side, covering `share` of them. */
async function draw(size: number, share: number): Promise<Buffer> {
  const inner = size * share;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}body{width:${size}px;height:${size}px;display:grid;place-items:center}svg{width:${inner}px;height:${inner}px}</style>${svg}`,
  );
  return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } });
}

/** A Windows icon file: a directory of 16 bytes an image, then the images. */
function ico(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index;
    // One byte a side: 256 is written as 0.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** An Apple icon file: each image after its name and length. */
function icns(images: readonly { readonly name: string; readonly png: Buffer }[]): Buffer {
  const parts = images.flatMap(({ name, png }) => {
    const head = Buffer.alloc(8);
    head.write(name, 'latin1');
    head.writeUInt32BE(8 + png.length, 4);
    return [head, png];
  });
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(length, 4);
  return Buffer.concat([head, ...parts]);
}

await mkdir(folder, { recursive: true });
for (const size of linuxSizes) await writeFile(join(folder, `${size}x${size}.png`), await draw(size, 1));

const windows: { size: number; png: Buffer }[] = [];
for (const size of windowsSizes) windows.push({ size, png: await draw(size, 1) });
await writeFile(join(folder, 'icon.ico'), ico(windows));

const apple: { name: string; png: Buffer }[] = [];
for (const [name, size] of Object.entries(appleNames)) {
  apple.push({ name, png: await draw(size, appleShare) });
}
await writeFile(join(folder, 'icon.icns'), icns(apple));
await browser.close();
process.stdout.write(`Icons written to ${folder}\n`);
