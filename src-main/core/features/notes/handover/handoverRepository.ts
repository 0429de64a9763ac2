import { z } from 'zod';
import { handoverSchema, ok, type Failure } from '../../../../../src-preload/contract/index.ts';
import type { Refusal } from '../../../base/failure.ts';
import { parsedJson } from '../../../base/json.ts';
import { message } from '../../../base/messages/message.ts';
import { SerialQueue } from '../../../base/queues.ts';
import { storing } from '../../../vault/storageFailure.ts';
import type { DeploymentContext } from '../../context.ts';
import type { HandoverFiles } from './handoverFiles.ts';

export const mostHandovers = 20;
export const handoverDays = 30;
/** The most accounts that are stored as readers; no console has as many. */
export const mostReaders = 200;
const dayMs = 86_400_000;

/** `shift`: when the shift of the handover began. `authorKnows`: the author has seen who took over. */
const storedSchema = handoverSchema.extend({
  shift: z.number(),
  seenBy: z.array(z.string()).max(mostReaders),
  authorKnows: z.boolean(),
});
export type StoredHandover = z.infer<typeof storedSchema>;
const fileSchema = z.strictObject({
  version: z.literal(1),
  handovers: z.array(storedSchema).max(mostHandovers),
});

/** What the handovers need of the deployment. */
export type HandoversDeployment = Pick<DeploymentContext, 'logger' | 'serverNow' | 'fail'> & {
  readonly serverTime: Pick<DeploymentContext['serverTime'], 'verified'>;
  readonly vault: Pick<DeploymentContext['vault'], 'note'>;
};

/**
 * The handovers of one deployment on this computer. Every account that signs in there may read them. A vault belongs to
 * one account, so they are stored outside of the vaults (docs/adr/0036).
 */
export class HandoverRepository {
  readonly #deployment: HandoversDeployment;
  readonly #files: HandoverFiles | null;
  readonly #binding: string;
  /** The latest last, in the order of writing, which does not depend on clocks. */
  #stored: readonly StoredHandover[] = [];
  #loaded = false;
  #problem: Failure | null = null;
  readonly #queue = new SerialQueue();

  /**
   * `files`: null for a deployment that stores nothing; its handovers end with the connection. `binding`: a digest of
   * the deployment and its origin, 32 hexadecimal digits.
   */
  constructor(deployment: HandoversDeployment, files: HandoverFiles | null, binding: string) {
    this.#deployment = deployment;
    this.#files = files;
    this.#binding = binding;
  }

  get stored(): readonly StoredHandover[] {
    return this.#bounded(this.#stored);
  }

  /** Why they could not be read or written; null when they could. */
  get problem(): Failure | null {
    return this.#problem;
  }

  /** Runs changes one after another. Each starts after an attempt to read. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(() => this.#load().then(work));
  }

  /** Within a change: replaces the handovers in memory, even when they cannot be written. */
  keep(changed: readonly StoredHandover[]): void {
    this.#stored = changed;
  }

  /**
   * Within a change: writes all handovers, and then replaces those in memory.
   *
   * @returns why they could not be written, or null.
   */
  async put(changed: readonly StoredHandover[]): Promise<Failure | null> {
    const { fail } = this.#deployment;
    const files = this.#files;
    const stored = this.#bounded(changed);
    if (files !== null) {
      if (!this.#loaded) return this.#problem;
      const text = JSON.stringify({ version: 1, handovers: stored });
      const written = await storing(this.#deployment, 'handovers', async () =>
        ok(await files.write(this.#binding, text)),
      );
      this.#problem = !written.ok ? written.failure : written.value === 'shut' ? fail(shut) : null;
    }
    if (this.#problem === null) this.#stored = stored;
    return this.#problem;
  }

  async #load(): Promise<void> {
    const { logger, serverNow, fail, vault } = this.#deployment;
    const files = this.#files;
    if (this.#loaded || files === null) return;
    const reading = await storing(this.#deployment, 'handovers', async () =>
      ok(await files.read(this.#binding)),
    );
    if (!reading.ok) {
      this.#problem = reading.failure;
      return;
    }
    const found = reading.value;
    if (found.kind === 'shut') {
      this.#problem = fail(shut);
      return;
    }
    const file = found.kind === 'text' ? fileSchema.safeParse(parsedJson(found.text)).data : undefined;
    if (found.kind !== 'none' && !file) {
      const aside = await storing(this.#deployment, 'handovers', async () => {
        await files.setAside(this.#binding, serverNow());
        return ok(null);
      });
      // A file that could not be renamed would be overwritten.
      if (!aside.ok) {
        this.#problem = aside.failure;
        return;
      }
      logger.warn('handovers-set-aside');
      vault.note(message('handover.setAside'));
    }
    this.#stored = file?.handovers ?? [];
    this.#problem = null;
    this.#loaded = true;
  }

  /** A clock that was not verified may be years off: it removes none. */
  #bounded(stored: readonly StoredHandover[]): readonly StoredHandover[] {
    const { serverTime, serverNow } = this.#deployment;
    const oldest = serverTime.verified() ? serverNow() - handoverDays * dayMs : -Infinity;
    return stored.filter(({ at }) => at >= oldest).slice(-mostHandovers);
  }
}

const shut: Refusal = {
  code: 'storage-failed',
  sentence: message('handover.shut'),
  remedy: message('handover.shutRemedy'),
};
