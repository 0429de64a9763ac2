import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunksOf(png) {
  const chunks = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** What a byte is told from: those at its left, above it, and above at the left (PNG, 9.4). */
function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(guess - one));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
const predictors = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** The bytes of an image's rows as they are, each after a filter that leaves it so. */
function unfiltered(filtered, stride, pixel) {
  const rows = Buffer.from(filtered);
  for (let start = 0; start < rows.length; start += stride + 1) {
    const predict = predictors[rows[start]];
    rows[start] = 0;
    for (let at = start + 1; at <= start + stride; at += 1) {
      const isFirst = at - start <= pixel;
      const above = start === 0 ? 0 : rows[at - stride - 1];
      const corner = start === 0 || isFirst ? 0 : rows[at - stride - 1 - pixel];
      rows[at] += predict(isFirst ? 0 : rows[at - pixel], above, corner);
    }
  }
  return rows;
}

/**
 * The same picture in fewer bytes: a page's flat colours are best told as they are, and compressed at length,
 * which a browser that is asked for a screenshot has no time for. Left as it is where that gains nothing.
 */
export function smaller(png) {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  const pixel = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || pixel === undefined || header[12] !== 0) return png;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const rows = unfiltered(inflateSync(packed), header.readUInt32BE(0) * pixel, pixel);
  const made = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return made.length < png.length ? made : png;
}
