/**
 * Draws the images of the tray into src-main/hosts/desktop/settings/tray: `node build/trayIcons.ts`. The results are
 * committed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { TrayKind } from '../src-main/hosts/desktop/settings/trayState.ts';

/**
 * Each state has a shape and a colour, in a box of 16 by 16, readable on light and dark bars. The colours of severities
 * are only for alarms, as in the page.
 */
interface Drawing {
  readonly colour: readonly [red: number, green: number, blue: number];
  /** Whether the point belongs to the shape; x to the right, y down, both in [0, 16]. */
  readonly covers: (x: number, y: number) => boolean;
}

const centre = 8;
const distance = (x: number, y: number): number => Math.hypot(x - centre, y - centre);
const onRing = (x: number, y: number, radius: number, width: number): boolean =>
  Math.abs(distance(x, y) - radius) <= width / 2;

/** Whether the point is within `half` of the line between two points, with round ends. */
function onStroke(
  x: number,
  y: number,
  [fromX, fromY, toX, toY]: readonly [number, number, number, number],
  half: number,
): boolean {
  const length = (toX - fromX) ** 2 + (toY - fromY) ** 2;
  const along = ((x - fromX) * (toX - fromX) + (y - fromY) * (toY - fromY)) / length;
  const at = Math.max(0, Math.min(1, along));
  return Math.hypot(x - fromX - at * (toX - fromX), y - fromY - at * (toY - fromY)) <= half;
}

const drawings: Readonly<Record<TrayKind, Drawing>> = {
  online: { colour: [41, 163, 105], covers: (x, y) => distance(x, y) <= 6.5 },
  degraded: {
    colour: [171, 74, 186],
    covers: (x, y) => onRing(x, y, 5.75, 1.9) || (x >= centre && distance(x, y) <= 6),
  },
  offline: {
    colour: [139, 141, 152],
    covers: (x, y) =>
      Math.hypot(Math.max(0, Math.abs(x - centre) - 4), Math.max(0, Math.abs(y - centre) - 4)) <= 2.5 &&
      !onStroke(x, y, [5, 5, 11, 11], 1.05) &&
      !onStroke(x, y, [11, 5, 5, 11], 1.05),
  },
  idle: { colour: [84, 146, 178], covers: (x, y) => onRing(x, y, 5.75, 1.7) },
  locked: {
    colour: [98, 112, 214],
    covers: (x, y) => {
      const bow = y <= 7 ? Math.hypot(x - centre, y - 5.4) : Infinity;
      const shackle = (bow >= 2.5 && bow <= 4.2 && y <= 5.4) || isLeg(x, y);
      const body = Math.abs(x - centre) <= 5.25 && y >= 7 && y <= 14.5;
      return shackle || (body && Math.hypot(x - centre, y - 10.75) > 1.4);
    },
  },
  alarms: {
    colour: [239, 95, 0],
    covers: (x, y) => {
      const dome = y <= 7 && Math.hypot(x - centre, y - 6.5) <= 4.5;
      const skirt = y > 6.5 && y <= 11.5 && Math.abs(x - centre) <= 4.5 + Math.max(0, y - 9) * 0.55;
      const knob = Math.hypot(x - centre, y - 1.9) <= 1.2;
      const clapper = y >= 12.4 && Math.hypot(x - centre, y - 12.4) <= 2.1;
      return dome || skirt || knob || clapper;
    },
  },
};

/** The two legs of the padlock's shackle, down to its body. */
function isLeg(x: number, y: number): boolean {
  const aside = Math.abs(x - centre);
  return y > 5.4 && y <= 7 && aside >= 2.5 && aside <= 4.2;
}

/** Samples per pixel and direction, so that edges are smooth at every size. */
const samples = 4;

/**
 * The image of a state as RGBA rows from the top, `size` by `size` pixels. A template is black: macOS uses only its
 * opacity, in the colour of the menu bar.
 */
function drawTrayImage(kind: TrayKind, size: number, template: boolean): Uint8Array {
  const { colour, covers } = drawings[kind];
  const [red, green, blue] = template ? [0, 0, 0] : colour;
  const pixels = new Uint8Array(size * size * 4);
  const scale = 16 / size / samples;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      let covered = 0;
      for (let sample = 0; sample < samples * samples; sample += 1) {
        const x = (column * samples + (sample % samples) + 0.5) * scale;
        const y = (row * samples + Math.floor(sample / samples) + 0.5) * scale;
        if (covers(x, y)) covered += 1;
      }
      const alpha = Math.round((covered / samples ** 2) * 255);
      pixels.set([red, green, blue, alpha], (row * size + column) * 4);
    }
  }
  return pixels;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** RGBA rows as a PNG file (8 bits per channel, no filter). */
function encodePng(pixels: Uint8Array, size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row += 1) {
    rows.set(pixels.subarray(row * size * 4, (row + 1) * size * 4), row * (size * 4 + 1) + 1);
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const folder = join(import.meta.dirname, '../src-main/hosts/desktop/settings/tray');
mkdirSync(folder, { recursive: true });
for (const kind of Object.keys(drawings) as TrayKind[]) {
  // Linux panels are a little higher than the bars of other systems; each image has one for dense screens.
  for (const size of [16, 22, 32, 44]) {
    writeFileSync(join(folder, `${kind}-${size}.png`), encodePng(drawTrayImage(kind, size, false), size));
  }
  for (const size of [16, 32]) {
    const png = encodePng(drawTrayImage(kind, size, true), size);
    writeFileSync(join(folder, `${kind}-${size}-template.png`), png);
  }
}
