import { z } from 'zod';
import { JsonDocument, type DocumentPorts } from '../../base/jsonDocument.ts';
import type { Random } from '../../base/ports.ts';

const memorySchema = z.object({
  version: z.literal(1),
  /** Decides this console's place in a rollout. It never leaves the computer. */
  consoleId: z.string().regex(/^[0-9a-f]{32}$/),
  /** The greatest number of a genuine release that was seen. */
  greatestSeen: z.int().min(0),
  /** The version whose installation was started; null for none. */
  installing: z.string().max(64).nullable(),
  lastCheckAt: z.number().nullable(),
});
type Memory = Omit<z.infer<typeof memorySchema>, 'version'>;

/**
 * The stored state of updates, a document in the data folder. Without it, the number of the running release still
 * excludes older ones.
 */
export class UpdateMemory {
  readonly #document: JsonDocument<Memory>;
  #memory: Memory;

  constructor(ports: DocumentPorts & { readonly random: Random }) {
    const consoleId = Buffer.from(ports.random.bytes(16)).toString('hex');
    this.#memory = { consoleId, greatestSeen: 0, installing: null, lastCheckAt: null };
    this.#document = new JsonDocument(ports, 'updates', readMemory);
  }

  get now(): Memory {
    return this.#memory;
  }

  async load(): Promise<void> {
    const stored = await this.#document.load();
    if (stored.kind === 'stored') this.#memory = stored.value;
  }

  /** False when it could not be written; the change then lasts until the console ends. */
  keep(change: Partial<Memory>): Promise<boolean> {
    this.#memory = { ...this.#memory, ...change };
    return this.#document.save({ version: 1, ...this.#memory });
  }
}

function readMemory(value: unknown): Memory | null {
  const reading = memorySchema.safeParse(value);
  if (!reading.success) return null;
  const { version: _version, ...memory } = reading.data;
  return memory;
}
