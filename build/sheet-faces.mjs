/**
 * Plain TrueType fonts, as WOFF, out of the variable WOFF2 ones that the packages carry: the program that
 * embeds a font in a PDF cuts glyphs out of a table that WOFF2 stores in another form.
 */
import { deflateSync } from 'node:zlib';

/**
 * A font at one weight, with all its glyphs and with what shapes its script.
 *
 * @param {object} font as fontkit opened it
 */
export function wholeFace(font) {
  const glyphs = Array.from({ length: font.numGlyphs }, (_, id) => font.getGlyph(id));
  const kept = ['cmap', 'GDEF', 'GSUB', 'GPOS', 'OS/2', 'name', 'post'];
  const tables = kept.filter((tag) => font.directory.tables[tag]).map((tag) => [tag, rawTable(font, tag)]);
  return woff([...outlines(font, glyphs), ...tables]);
}

/**
 * One font for characters out of many that share them between each other, as the Chinese one comes.
 *
 * @param {ReadonlyMap<number, object>} fonts the font of each character
 */
export function gatheredFace(fonts) {
  const codes = [...fonts.keys()].sort((a, b) => a - b);
  const [first] = fonts.values();
  const glyphs = [first.getGlyph(0), ...codes.map((code) => fonts.get(code).glyphForCodePoint(code))];
  const tables = ['OS/2', 'name', 'post'].map((tag) => [tag, rawTable(first, tag)]);
  return woff([...outlines(first, glyphs), ['cmap', characterMap(codes)], ...tables]);
}

/** Moves the points of every glyph of a variable font to a weight, once. Its glyphs must not be made of others. */
export function atWeight(font, wght) {
  font.variationCoords = [wght];
  for (let id = 0; id < font.numGlyphs; id += 1) {
    const glyph = font.getGlyph(id);
    const outline = glyph._decode();
    if (!outline || outline.numberOfContours <= 0) continue;
    const points = [...outline.points, ...glyph._getPhantomPoints(outline)];
    font._variationProcessor.transformPoints(id, points);
    outline.points.forEach((point, index) => {
      point.x = points[index].x;
      point.y = points[index].y;
    });
  }
  // Measuring them has drawn them as they were.
  font._glyphs = {};
  return font;
}

function rawTable(font, tag) {
  const stream = font._getTableStream(tag);
  return Buffer.from(stream.readBuffer(font.directory.tables[tag].length));
}

function outlines(font, glyphs) {
  const glyf = glyphs.map(({ path }) => outline(path));
  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  const hmtx = Buffer.alloc(glyphs.length * 4);
  let offset = 0;
  glyphs.forEach((glyph, at) => {
    hmtx.writeUInt16BE(Math.round(glyph.advanceWidth), at * 4);
    hmtx.writeInt16BE(glyph.path.commands.length === 0 ? 0 : Math.floor(glyph.path.bbox.minX), at * 4 + 2);
    offset += glyf[at].length;
    loca.writeUInt32BE(offset, (at + 1) * 4);
  });
  const [head, hhea, maxp] = ['head', 'hhea', 'maxp'].map((tag) => rawTable(font, tag));
  head.writeInt16BE(1, 50);
  hhea.writeUInt16BE(glyphs.length, 34);
  maxp.writeUInt16BE(glyphs.length, 4);
  return Object.entries({ head, hhea, maxp, hmtx, loca, glyf: Buffer.concat(glyf) });
}

/** A glyph's outline as the table `glyf` has it, made of no others and without instructions. */
function outline({ commands, bbox }) {
  const points = [];
  const ends = [];
  for (const { command, args } of commands) {
    if (command === 'closePath') continue;
    if (command === 'moveTo' && points.length > 0) ends.push(points.length - 1);
    if (command === 'quadraticCurveTo') points.push({ x: args[0], y: args[1], on: 0 });
    const [x, y] = args.slice(-2);
    points.push({ x, y, on: 1 });
  }
  if (points.length === 0) return Buffer.alloc(0);
  ends.push(points.length - 1);
  const head = Buffer.alloc(10 + ends.length * 2 + 2);
  const box = [Math.floor(bbox.minX), Math.floor(bbox.minY), Math.ceil(bbox.maxX), Math.ceil(bbox.maxY)];
  [ends.length, ...box, ...ends].forEach((value, at) => head.writeInt16BE(value, at * 2));
  const flags = [];
  const sides = { x: [], y: [] };
  let last = { x: 0, y: 0 };
  for (const point of points) {
    const now = { x: Math.round(point.x), y: Math.round(point.y) };
    let flag = point.on;
    // Of each side: the flag for one byte without a sign, and that for a positive byte or for no change.
    for (const [side, short, same] of [
      ['x', 2, 16],
      ['y', 4, 32],
    ]) {
      const step = now[side] - last[side];
      if (step === 0) flag |= same;
      else if (Math.abs(step) < 256) {
        flag |= step > 0 ? short | same : short;
        sides[side].push(Math.abs(step));
      } else sides[side].push((step >> 8) & 255, step & 255);
    }
    flags.push(flag);
    last = now;
  }
  return aligned(Buffer.concat([head, Buffer.from([...flags, ...sides.x, ...sides.y])]));
}

/** `cmap` of format 12, for glyphs in the order of their characters, which begin at glyph 1. */
function characterMap(codes) {
  const table = Buffer.alloc(12 + 16 + codes.length * 12);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt16BE(10, 6);
  table.writeUInt32BE(12, 8);
  table.writeUInt16BE(12, 12);
  table.writeUInt32BE(16 + codes.length * 12, 16);
  table.writeUInt32BE(codes.length, 24);
  codes.forEach((code, at) => {
    table.writeUInt32BE(code, 28 + at * 12);
    table.writeUInt32BE(code, 32 + at * 12);
    table.writeUInt32BE(at + 1, 36 + at * 12);
  });
  return table;
}

const aligned = (bytes) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

function checksum(bytes) {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

/** WOFF 1.0: a head, a directory, and each table deflated by itself. */
function woff(tables) {
  const sorted = tables.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = Buffer.alloc(44 + sorted.length * 20);
  const bodies = [];
  let offset = head.length;
  let plainSize = 12 + sorted.length * 16;
  sorted.forEach(([tag, plain], at) => {
    const packed = deflateSync(plain, { level: 9 });
    const stored = packed.length < plain.length ? packed : plain;
    const entry = 44 + at * 20;
    head.write(tag.padEnd(4), entry, 'latin1');
    head.writeUInt32BE(offset, entry + 4);
    head.writeUInt32BE(stored.length, entry + 8);
    head.writeUInt32BE(plain.length, entry + 12);
    head.writeUInt32BE(checksum(aligned(plain)), entry + 16);
    bodies.push(aligned(stored));
    offset += aligned(stored).length;
    plainSize += aligned(plain).length;
  });
  head.write('wOFF', 0, 'latin1');
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(offset, 8);
  head.writeUInt16BE(sorted.length, 12);
  head.writeUInt32BE(plainSize, 16);
  head.writeUInt16BE(1, 20);
  return Buffer.concat([head, ...bodies]);
}
