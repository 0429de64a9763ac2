import { listColumns, statusClassOf, type SortColumn } from '../../src-preload/contract/index.ts';
import { severityWeights } from './severity.ts';
import type { IncidentTable } from './table.ts';

export type SortDirection = 'ascending' | 'descending';

/**
 * Sorts row indices by a column. Rows that are equal in it come newest first, then by key, in both
 * directions: a list sorted by severity must not put last week's first. Severity goes by the table's
 * scale, what has no rank beside the worst; status and type follow the alphabet, spellings of one status as one. `distances`: metres
 * from the station for every row of the table, Infinity for those without a location, which come last in both
 * directions; without them the order by distance is the usual one.
 *
 * A radix sort from the least significant digit: stable, and its time does not depend on the data.
 */
export function sortRows(
  table: IncidentTable,
  rows: Uint32Array,
  by: SortColumn,
  direction: SortDirection,
  distances: Float64Array | null = null,
): Uint32Array<ArrayBuffer> {
  const { columns, dictionaries } = table;
  const sorter = new RadixSorter(rows, table.length);
  const descending = direction === 'descending';
  sorter.byUint32(columns.key, false);
  const column = listColumns[by];
  sorter.byFloat64(columns.createdAt, column.kind === 'created' ? descending : true);
  switch (column.kind) {
    case 'created':
      break;
    case 'severity':
      sorter.byRank(columns.severity, severityWeights(table), descending);
      break;
    case 'status':
      sorter.byRank(
        columns.status,
        alphabetRanks(dictionaries.status.map((status) => statusClassOf(status).name)),
        descending,
      );
      break;
    case 'type':
      sorter.byRank(columns.type, alphabetRanks(dictionaries.type), descending);
      break;
    case 'count':
      sorter.byUint32(columns[column.of], descending);
      break;
    case 'distance':
      if (distances !== null) {
        const known = descending ? distances.map((metres) => (metres === Infinity ? -1 : metres)) : distances;
        sorter.byFloat64(known, descending);
      }
      break;
  }
  return sorter.order;
}

/** Each entry's place in the alphabet; the same for texts that are equal. */
function alphabetRanks(dictionary: readonly string[]): Uint32Array {
  const collator = new Intl.Collator('en', { sensitivity: 'variant', numeric: true });
  const order = dictionary.map((_, index) => index);
  order.sort((a, b) => collator.compare(dictionary[a] ?? '', dictionary[b] ?? '') || a - b);
  const ranks = new Uint32Array(dictionary.length);
  order.forEach((entry, place) => {
    const before = order[place - 1];
    const same = before !== undefined && dictionary[before] === dictionary[entry];
    ranks[entry] = same ? (ranks[before] as number) : place;
  });
  return ranks;
}

const digitBits = 16;
const digitMask = 0xff_ff;
const allBits = 0xff_ff_ff_ff;

/** Orders row numbers by one 32-bit word per row after another, the least significant first. */
class RadixSorter {
  order: Uint32Array<ArrayBuffer>;
  #spare: Uint32Array<ArrayBuffer>;
  readonly #counts = new Uint32Array(digitMask + 2);
  readonly #digits: Uint16Array;
  readonly #words: Uint32Array;

  constructor(rows: Uint32Array, tableLength: number) {
    this.order = Uint32Array.from(rows);
    this.#spare = new Uint32Array(rows.length);
    this.#digits = new Uint16Array(rows.length);
    this.#words = new Uint32Array(tableLength);
  }

  byRank(column: Uint16Array, ranks: Uint32Array, descending: boolean): void {
    const words = this.#words;
    const flip = descending ? digitMask : 0;
    for (const row of this.order) words[row] = (ranks[column[row] as number] as number) ^ flip;
    this.#pass(words, 0);
  }

  byUint32(column: Uint32Array, descending: boolean): void {
    const words = this.#words;
    const flip = descending ? allBits : 0;
    for (const row of this.order) words[row] = (column[row] as number) ^ flip;
    this.#bothPasses(words);
  }

  /** Orders by the float's own bits: an IEEE number sorts like an integer once its sign is folded in. */
  byFloat64(column: Float64Array, descending: boolean): void {
    const flip = descending ? allBits : 0;
    const low = this.#words;
    const high = new Uint32Array(low.length);
    const number = new Float64Array(1);
    const halves = new Uint32Array(number.buffer);
    for (const row of this.order) {
      number[0] = (column[row] as number) + 0;
      const top = halves[1] as number;
      const negative = top >>> 31 === 1;
      high[row] = top ^ (negative ? allBits : 0x80_00_00_00) ^ flip;
      low[row] = (halves[0] as number) ^ (negative ? allBits : 0) ^ flip;
    }
    this.#bothPasses(low);
    this.#bothPasses(high);
  }

  #bothPasses(words: Uint32Array): void {
    this.#pass(words, 0);
    this.#pass(words, digitBits);
  }

  #pass(words: Uint32Array, shift: number): void {
    const { order } = this;
    const digits = this.#digits;
    const counts = this.#counts.fill(0);
    const length = order.length;
    let sorted = true;
    let previous = 0;
    for (let at = 0; at < length; at += 1) {
      const digit = ((words[order[at] as number] as number) >>> shift) & digitMask;
      digits[at] = digit;
      counts[digit + 1] = (counts[digit + 1] as number) + 1;
      if (digit < previous) sorted = false;
      previous = digit;
    }
    if (sorted) return;
    for (let digit = 1; digit <= digitMask; digit += 1) {
      counts[digit] = (counts[digit] as number) + (counts[digit - 1] as number);
    }
    const spare = this.#spare;
    for (let at = 0; at < length; at += 1) {
      const digit = digits[at] as number;
      const target = counts[digit] as number;
      counts[digit] = target + 1;
      spare[target] = order[at] as number;
    }
    this.#spare = order;
    this.order = spare;
  }
}
