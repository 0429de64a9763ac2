import { z } from 'zod';
import type { Documents, Logger, Random } from '../../base/ports.ts';

const documentName = 'updates.json';

const memorySchema = z.object({
  version: z.literal(1),
  /** Draws this console's place in a rollout; it never leaves the computer. */
  consoleId: z.string().regex(/^[0-9a-f]{32}$/),
  /** The greatest number of a genuine release ever seen. */
  greatestSeen: z.int().min(0),
  /** The version whose installation was begun; null for none. */
  installing: z.string().max(64).nullable(),
  lastCheckAt: z.number().nullable(),
});
type Memory = Omit<z.infer<typeof memorySchema>, 'version'>;

/**
 * What outlasts the console about updates, as a document in the data folder. One that cannot be read is
 * begun anew: the running release's own number still keeps older ones out.
 */
export class UpdateMemory {
  readonly #documents: Documents;
  readonly #logger: Logger;
  #memory: Memory;

  constructor(options: { readonly documents: Documents; readonly logger: Logger; readonly random: Random }) {
    this.#documents = options.documents;
    this.#logger = options.logger;
    const consoleId = Buffer.from(options.random.bytes(16)).toString('hex');
    this.#memory = { consoleId, greatestSeen: 0, installing: null, lastCheckAt: null };
  }

  get now(): Memory {
    return this.#memory;
  }

  async load(): Promise<void> {
    let text: string | null;
    try {
      text = await this.#documents.read(documentName);
      if (text === null) return;
      const { version: _version, ...memory } = memorySchema.parse(JSON.parse(text));
      this.#memory = memory;
    } catch {
      this.#logger.warn('updates-unreadable');
    }
  }

  /** False when it could not be written; it counts until the console ends all the same. */
  async keep(change: Partial<Memory>): Promise<boolean> {
    this.#memory = { ...this.#memory, ...change };
    try {
      await this.#documents.write(documentName, `${JSON.stringify({ version: 1, ...this.#memory })}\n`);
      return true;
    } catch {
      this.#logger.warn('updates-not-written');
      return false;
    }
  }
}
