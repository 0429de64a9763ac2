import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** As in every database of a vault. */
const pageSize = 8192;
/** Pointers of one page: with twelve levels a search would visit 100 to the power of 12 pages. */
const fanOut = 100;

/** An interior page of a table, all of whose ways lead to one child. Page 1 begins with the header of the file. */
function interior(child: number, page = Buffer.alloc(pageSize), at = 0): Buffer {
  page.fill(0, at);
  page[at] = 5;
  page.writeUInt16BE(fanOut, at + 3);
  page.writeUInt16BE(pageSize - 5 * fanOut, at + 5);
  page.writeUInt32BE(child, at + 8);
  for (let cell = 0; cell < fanOut; cell += 1) {
    const place = pageSize - 5 * (cell + 1);
    page.writeUInt16BE(place, at + 12 + 2 * cell);
    page.writeUInt32BE(child, place);
    page[place + 4] = cell + 1;
  }
  return page;
}

/** A leaf that begins at its first byte, from page 1, which begins with the header of the file. */
function leafOf(first: Buffer): Buffer {
  const leaf = Buffer.from(first);
  const cells = first.readUInt16BE(103);
  leaf.fill(0, 0, 100 + 8 + 2 * cells);
  first.copy(leaf, 0, 100, 100 + 8 + 2 * cells);
  return leaf;
}

/**
 * Pages that make the search of a table endless, by their numbers: its root leads through `levels` pages of 100 ways each
 * to one leaf. `root` 1 is the schema.
 */
export function endlessPages(path: string, root: number, levels: number): Map<number, Buffer> {
  const bytes = readFileSync(path);
  const count = bytes.byteLength / pageSize;
  const old = Buffer.from(bytes.subarray((root - 1) * pageSize, root * pageSize));
  const pages = new Map<number, Buffer>();
  const leaf = count + levels;
  pages.set(leaf, root === 1 ? leafOf(old) : old);
  for (let level = 1; level < levels; level += 1) pages.set(count + level, interior(count + level + 1));
  pages.set(root, interior(count + 1, root === 1 ? Buffer.from(old) : undefined, root === 1 ? 100 : 0));
  const head = pages.get(1) ?? Buffer.from(bytes.subarray(0, pageSize));
  head.writeUInt32BE(leaf, 28);
  return pages.set(1, head);
}

export function writePages(path: string, pages: ReadonlyMap<number, Buffer>): void {
  const bytes = readFileSync(path);
  const last = Math.max(bytes.byteLength / pageSize, ...pages.keys());
  const whole = Buffer.concat([bytes, Buffer.alloc(last * pageSize - bytes.byteLength)]);
  for (const [number, page] of pages) page.copy(whole, (number - 1) * pageSize);
  writeFileSync(path, whole);
}

/** The same pages in a log beside the file, which SQLite reads first. `size`: of a page, as its head says, bytes. */
export function writeLog(path: string, pages: ReadonlyMap<number, Buffer>, size = pageSize): void {
  const sums: [number, number] = [0, 0];
  const add = (bytes: Buffer): Buffer => {
    for (let at = 0; at < bytes.byteLength; at += 8) {
      sums[0] = (sums[0] + bytes.readUInt32BE(at) + sums[1]) >>> 0;
      sums[1] = (sums[1] + bytes.readUInt32BE(at + 4) + sums[0]) >>> 0;
    }
    const sum = Buffer.alloc(8);
    sum.writeUInt32BE(sums[0], 0);
    sum.writeUInt32BE(sums[1], 4);
    return sum;
  };
  const header = Buffer.alloc(24);
  // Its magic number says that sums are of big-endian words.
  for (const [at, word] of [0x37_7f_06_83, 3_007_000, size, 0, 1, 2].entries())
    header.writeUInt32BE(word, 4 * at);
  const parts = [header, add(header)];
  const last = Math.max(readFileSync(path).byteLength / pageSize, ...pages.keys());
  for (const [index, [number, page]] of [...pages].entries()) {
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(number, 0);
    frame.writeUInt32BE(index === pages.size - 1 ? last : 0, 4);
    parts.push(frame, header.subarray(16, 24));
    add(frame);
    parts.push(add(page), page);
  }
  writeFileSync(`${path}-wal`, Buffer.concat(parts));
}

export function rootOf(path: string, table: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Number(
      database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.['rootpage'],
    );
  } finally {
    database.close();
  }
}
