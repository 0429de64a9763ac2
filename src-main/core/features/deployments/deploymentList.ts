import { z } from 'zod';
import { failed, ok, type Failure, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { JsonDocument, type DocumentPorts } from '../../base/jsonDocument.ts';
import { hasAbsoluteCa, readDeployment, type Deployment } from './schema.ts';

/** The deployments of a policy are read at each start and never stored. */
export type KnownSource = 'policy' | 'command-line' | 'environment' | 'added';

export interface KnownDeployment {
  readonly deployment: Deployment;
  readonly source: KnownSource;
}

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

/**
 * The known deployments in the data folder. A document that cannot be read is set aside, and the operator sees that:
 * without a start the console would be of no use, and overwriting would lose this computer's configuration.
 */
export class DeploymentList {
  readonly #now: () => number;
  readonly #document: JsonDocument<ReadList>;
  #isUnread = false;

  /** `now`: Unix milliseconds, the time of failures. */
  constructor(ports: DocumentPorts, now: () => number) {
    this.#now = now;
    this.#document = new JsonDocument(ports, 'deployments', readList);
  }

  async load(): Promise<DeploymentListContent> {
    const stored = await this.#document.load();
    this.#isUnread = stored.kind === 'unread';
    const nothing = (problem: Failure | null): DeploymentListContent => ({
      known: [],
      chosen: null,
      problem,
    });
    switch (stored.kind) {
      case 'none':
        return nothing(null);
      case 'unread':
        return nothing(this.#problem(message('deployment.bookUnread')));
      case 'damaged':
        return nothing(this.#problem(message('deployment.bookSetAside')));
      case 'stored':
        break;
    }
    const { lost, ...content } = stored.value;
    if (lost === 0) return { ...content, problem: null };
    await this.#document.setAside();
    return { ...content, problem: this.#problem(message('deployment.someLost', { n: lost })) };
  }

  async save(known: readonly KnownDeployment[], chosen: string | null): Promise<Result<null>> {
    const deployments = known.map(({ source, deployment }) => ({ source, file: deployment }));
    if (await this.#document.save({ version: 1, chosen, deployments })) return ok(null);
    const sentence = this.#isUnread ? message('deployment.bookKept') : message('deployment.bookNotWritten');
    return failed(this.#problem(sentence));
  }

  #problem(sentence: Message): Failure {
    return makeFailure({ code: 'storage-failed', at: this.#now(), sentence });
  }
}

interface ReadList extends Omit<DeploymentListContent, 'problem'> {
  /** Deployments whose file is invalid. */
  readonly lost: number;
}

function readList(body: unknown): ReadList | null {
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
