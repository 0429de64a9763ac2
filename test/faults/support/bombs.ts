import type { WireIncident } from '../../../src-main/training/incident.ts';
import type { Seeded } from '../../../src-main/training/seeded.ts';

/** A body that is small on the wire and large in memory; what it is made of, for the campaign's line. */
export interface Bomb {
  readonly kind: string;
  readonly bytes: Buffer;
}

const mebibyte = 1024 * 1024;

/** Decoded bytes: mostly some kilobytes, seldom as much as an answer may have, now and then more. */
export function drawSize(draw: Seeded): number {
  const power = draw.below(40) === 0 ? 24 + draw.next() * 3 : 10 + draw.next() * 11;
  return Math.floor(2 ** power);
}

/** As many times `unit` as `size` bytes hold, with a comma between two. */
function repeated(unit: string, size: number): Buffer {
  const one = Buffer.from(`${unit},`);
  const times = Math.max(1, Math.floor(size / one.byteLength));
  return Buffer.alloc(one.byteLength * times, one).subarray(0, -1);
}

/** As many different units as `size` bytes hold, at most some 100,000 before they come again. */
function different(unit: (index: number) => string, size: number): Buffer {
  const units: string[] = [];
  for (let held = 0; held < Math.min(size, 2 * mebibyte); held += (units.at(-1)?.length ?? 0) + 1) {
    units.push(unit(units.length));
  }
  return repeated(units.join(','), size);
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** What a list is filled with. */
function drawEntries(draw: Seeded, size: number, incident: WireIncident): Bomb {
  const about = (value: string, field = 'more'): string => {
    const text = JSON.stringify(incident);
    return `${text.slice(0, -1)},${JSON.stringify(field)}:${value}}`;
  };
  const small = Math.min(size, 200_000);
  switch (draw.below(14)) {
    case 0:
      return { kind: 'arrays', bytes: repeated(draw.pick(['[]', '[[]]', '[[],[]]']), size) };
    case 1:
      return { kind: 'objects', bytes: repeated(draw.pick(['{}', '{"a":{}}', '{"id":"x"}']), size) };
    case 2:
      return {
        kind: 'numbers',
        bytes: repeated(draw.pick(['1', '-0', '1e400', '1.5e-7', '9'.repeat(2_000)]), size),
      };
    case 3:
      return { kind: 'one number', bytes: Buffer.alloc(size, draw.pick(['9', '1', '0.1'])) };
    case 4:
      return {
        kind: 'nesting',
        bytes: repeated(draw.pick([nested, objects])(1 + draw.below(draw.pick([50, 1_000, small]))), size),
      };
    case 5:
      return { kind: 'keys', bytes: different((index) => `{"k${String(index)}":1}`, size) };
    case 6: {
      const members = different(
        (index) => `"k${String(index)}":${String(index)}`,
        Math.min(size, 4 * mebibyte),
      );
      return {
        kind: 'keys of one object',
        bytes: Buffer.concat([Buffer.from('{'), members, Buffer.from('}')]),
      };
    }
    case 7:
      return {
        kind: 'escapes',
        bytes: repeated(
          `"${draw.pick(['\\u0000', '\\"', '\\\\', '\\u00e9']).repeat(1 + draw.below(small / 6))}"`,
          size,
        ),
      };
    case 8:
      return {
        kind: 'surrogates',
        bytes: repeated(
          `"${draw.pick(['\\ud800', '\\udc00\\ud800', '😀']).repeat(1 + draw.below(small / 12))}"`,
          size,
        ),
      };
    case 9:
      return { kind: 'one string', bytes: Buffer.from(`"${'x'.repeat(Math.min(size, 200 * mebibyte))}"`) };
    case 10:
      return {
        kind: 'incidents with a large field',
        bytes: repeated(about(`[${repeated(draw.pick(['1e20', '[]', '"a"']), small).toString()}]`), size),
      };
    case 11:
      return {
        kind: 'incidents of many sorts',
        bytes: different(
          (index) =>
            about('1')
              .replace(incident.severity, `severity-${String(index)}`)
              .replace(incident.id, `x-${String(index)}`),
          size,
        ),
      };
    case 12:
      return {
        kind: 'broken incidents',
        bytes: different(
          (index) => JSON.stringify({ ...incident, id: `b-${String(index)}`, evidence_count: -1 }),
          size,
        ),
      };
    default: {
      const hashes = repeated(draw.pick(['1', '"0x0"', 'null']), small).toString();
      const text = JSON.stringify({ ...incident, blockchain_records: [] });
      return {
        kind: 'records of one incident',
        bytes: repeated(text.replace('"blockchain_records":[]', `"blockchain_records":[${hashes}]`), size),
      };
    }
  }
}

/** Draws one body of about `size` bytes; `incident` is a good one of the interface. */
export function drawBomb(draw: Seeded, size: number, incident: WireIncident): Bomb {
  const { kind, bytes } = drawEntries(draw, size, incident);
  const [before, after] = draw.pick([
    ['[', ']'],
    ['[', ']'],
    ['{"items":[', '],"next_cursor":"c"}'],
    ['{"status":"ok","more":[', ']}'],
    ['{"status":"ok","more":{"a":[', ']}}'],
    ['{"token":"t","expires_at":1,"more":', '}'],
    ['[', ''],
    ['[[', ']'],
    ['', ''],
    [`[${' '.repeat(100_000)}`, `${'\n'.repeat(100_000)}]`],
  ] as const);
  return { kind, bytes: Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]) };
}
