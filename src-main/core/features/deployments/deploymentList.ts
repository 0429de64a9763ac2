import { z } from 'zod';
import { failed, ok, type Failure, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { Documents, Logger } from '../../base/ports.ts';
import { hasAbsoluteCa, readDeployment, type Deployment } from './schema.ts';

/** A policy's deployments are read anew at each start and never written down. */
export type KnownSource = 'policy' | 'command-line' | 'environment' | 'added';

export interface KnownDeployment {
  readonly deployment: Deployment;
  readonly source: KnownSource;
}

const documentName = 'deployments.json';

const bookSchema = z.object({
  version: z.literal(1),
  chosen: z.string().nullable().default(null),
  deployments: z.array(
    z.object({ source: z.enum(['command-line', 'environment', 'added']), file: z.unknown() }),
  ),
});

export interface DeploymentListContent {
  readonly known: readonly KnownDeployment[];
  readonly chosen: string | null;
  readonly problem: Failure | null;
}

export interface DeploymentListOptions {
  readonly documents: Documents;
  readonly logger: Logger;
  /** Unix milliseconds, for failures and for the name of a document that is set aside. */
  readonly now: () => number;
}

/**
 * The known deployments in the data folder. A document that cannot be read is set aside under a
 * dated name and said so: a console that does not start because of it would be of no use, one that
 * overwrites it would lose this computer's configuration.
 */
export class DeploymentList {
  readonly #options: DeploymentListOptions;
  /** Writing over a document that exists and cannot be read would lose it. */
  #readable = true;

  constructor(options: DeploymentListOptions) {
    this.#options = options;
  }

  async load(): Promise<DeploymentListContent> {
    let text: string | null;
    try {
      text = await this.#options.documents.read(documentName);
    } catch {
      this.#readable = false;
      return { known: [], chosen: null, problem: this.#problem(message('deployment.bookUnread')) };
    }
    if (text === null) return { known: [], chosen: null, problem: null };
    const content = readList(text);
    if (!content) {
      await this.#setAside(text);
      return { known: [], chosen: null, problem: this.#problem(message('deployment.bookSetAside')) };
    }
    if (content.lost === 0) return { ...content, problem: null };
    await this.#setAside(text);
    const sentence = message('deployment.someLost', { n: content.lost });
    return { known: content.known, chosen: content.chosen, problem: this.#problem(sentence) };
  }

  async save(known: readonly KnownDeployment[], chosen: string | null): Promise<Result<null>> {
    if (!this.#readable) return failed(this.#problem(message('deployment.bookKept')));
    const deployments = known.map(({ source, deployment }) => ({ source, file: deployment }));
    try {
      await this.#options.documents.write(
        documentName,
        `${JSON.stringify({ version: 1, chosen, deployments }, null, 2)}\n`,
      );
      return ok(null);
    } catch {
      return failed(this.#problem(message('deployment.bookNotWritten')));
    }
  }

  async #setAside(text: string): Promise<void> {
    const { documents, logger, now } = this.#options;
    const name = `deployments-unreadable-${new Date(now()).toISOString().replaceAll(/[:.]/g, '-')}.json`;
    try {
      await documents.write(name, text);
      logger.warn('deployments-set-aside', { name });
    } catch {
      logger.error('deployments-not-set-aside', { name });
    }
  }

  #problem(sentence: Message): Failure {
    return makeFailure({ code: 'storage-failed', at: this.#options.now(), sentence });
  }
}

function readList(text: string): { known: KnownDeployment[]; chosen: string | null; lost: number } | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const list = bookSchema.safeParse(body);
  if (!list.success) return null;
  const known = new Map<string, KnownDeployment>();
  for (const { source, file } of list.data.deployments) {
    const reading = readDeployment(file);
    if (reading.valid && hasAbsoluteCa(reading.deployment)) {
      known.set(reading.deployment.id, { deployment: reading.deployment, source });
    }
  }
  return {
    known: [...known.values()],
    chosen: list.data.chosen,
    lost: list.data.deployments.length - known.size,
  };
}
