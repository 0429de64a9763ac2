import { headline, lineOf, type Row } from './statistics.ts';

type Rows = Iterable<Row> | AsyncIterable<Row>;

export interface Bench {
  readonly name: string;
  /** Measured one after the other, each for itself. */
  readonly sizes: readonly number[];
  /** Whether `--quick` measures it. */
  readonly quick?: true;
  /** The rows of one size, each as soon as it is measured. */
  readonly rows: (size: number) => Rows | Promise<Rows>;
}

/** The benches of these names. Throws where no bench has one of them. */
export function benchesNamed(names: readonly string[], benches: readonly Bench[]): Bench[] {
  const unknown = names.find((name) => !benches.some((bench) => bench.name === name));
  if (unknown !== undefined)
    throw new Error(`No bench is called ${unknown}, but ${benches.map(({ name }) => name).join(', ')}`);
  return benches.filter(({ name }) => names.includes(name));
}

/**
 * Measures, and prints each row when it is there. What fails is printed with its reason, and the rest follows. Answers
 * the exit status: 1 where something failed.
 */
export async function runBenches(
  benches: readonly Bench[],
  {
    print,
    end,
  }: {
    readonly print: (line: string) => void;
    /** Gets all rows, and all that failed with its reason. */
    readonly end: (rows: readonly Row[], failed: readonly string[]) => void;
  },
): Promise<0 | 1> {
  const rows: Row[] = [];
  const failed: string[] = [];
  print(headline);
  for (const bench of benches) {
    for (const size of bench.sizes) {
      try {
        for await (const row of await bench.rows(size)) {
          rows.push(row);
          print(lineOf(row));
        }
      } catch (error) {
        const reason = `${bench.name} at ${String(size)}: ${error instanceof Error ? error.message : String(error)}`;
        failed.push(reason);
        print(`FAILED ${reason}`);
      }
    }
  }
  end(rows, failed);
  return failed.length === 0 ? 0 : 1;
}
