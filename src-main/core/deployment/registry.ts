import {
  failed,
  ok,
  type DeploymentProposal,
  type DeploymentSummary,
  type Failure,
  type Result,
} from '../../../src-preload/contract/index.ts';
import type { NamedDeployment } from '../console.ts';
import { makeFailure } from '../domain/failure.ts';
import type { Documents, Logger, Random } from '../ports.ts';
import { DeploymentBook, type KnownDeployment } from './book.ts';
import { folderOf, hostOf, originOf, readDeploymentText, summaryOf } from './file.ts';
import type { Deployment } from './schema.ts';

export interface DeploymentRegistryOptions {
  readonly documents: Documents;
  readonly readTextFile: (path: string) => Promise<string>;
  readonly random: Random;
  readonly logger: Logger;
  /** Deployment files named by the command line or the environment, the leading one first. */
  readonly named: readonly NamedDeployment[];
  /** Unix milliseconds, for failures. */
  readonly now: () => number;
}

/**
 * The deployments that this station knows: those of its data folder, those that were named at start
 * and those that were added by hand and confirmed.
 *
 * What is stored is bound to a deployment's `id` and the origin of its `infrastructureUrl`. So a
 * file that names a known id with another origin is refused until the old one is removed: it would
 * otherwise get at the other one's data.
 */
export class DeploymentRegistry {
  readonly #options: DeploymentRegistryOptions;
  readonly #book: DeploymentBook;
  #known = new Map<string, KnownDeployment>();
  #chosen: string | null = null;
  #proposal: { readonly shown: DeploymentProposal; readonly deployment: Deployment } | null = null;
  #bookProblem: Failure | null = null;
  #namedProblem: Failure | null = null;

  constructor(options: DeploymentRegistryOptions) {
    this.#options = options;
    this.#book = new DeploymentBook(options);
  }

  /** Reads the data folder and the named files, and finds which deployment is the chosen one. */
  async load(): Promise<void> {
    const { known, chosen, problem } = await this.#book.load();
    this.#known = new Map(known.map((entry) => [entry.deployment.id, entry]));
    this.#bookProblem = problem;
    const [only] = known;
    const remembered = chosen !== null && this.#known.has(chosen) ? chosen : null;
    this.#chosen = remembered ?? (known.length === 1 && only ? only.deployment.id : null);
    // What was named leads; when it cannot be used nothing else is chosen in its place.
    if (this.#options.named.length > 0) this.#chosen = await this.loadNamed();
  }

  /**
   * Reads the named files (again, after a conflicting deployment was removed).
   *
   * @returns the id of the first one, or null when that one cannot be used.
   */
  async loadNamed(): Promise<string | null> {
    this.#namedProblem = null;
    const seen = new Set<string>();
    let first: string | null = null;
    let changed = false;
    for (const [index, named] of this.#options.named.entries()) {
      const reading = await this.#readNamed(named);
      if (!reading.ok) {
        this.#namedProblem ??= reading.failure;
        continue;
      }
      const { id } = reading.value;
      if (index === 0) first = id;
      if (seen.has(id)) continue;
      seen.add(id);
      this.#known.set(id, { deployment: reading.value, source: named.source });
      changed = true;
    }
    if (changed) {
      const saved = await this.#save();
      if (!saved.ok) this.#bookProblem = saved.failure;
    }
    return first;
  }

  get chosen(): string | null {
    return this.#chosen;
  }

  get proposal(): DeploymentProposal | null {
    return this.#proposal?.shown ?? null;
  }

  /** What the operator has to know about deployments before signing in; null when all is well. */
  get problem(): Failure | null {
    return this.#namedProblem ?? this.#bookProblem;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  summaries(): DeploymentSummary[] {
    return [...this.#known.values()].map(({ deployment, source }) => summaryOf(deployment, source));
  }

  find(id: string): Deployment | null {
    return this.#known.get(id)?.deployment ?? null;
  }

  /** Remembers the choice for the next start. `id` null: none of these (training). */
  async choose(id: string | null): Promise<Result<null>> {
    if (this.#chosen === id) return ok(null);
    this.#chosen = id;
    return this.#save();
  }

  /** Reads a file's text that was added by hand and holds it until the operator has confirmed it. */
  propose(text: string): Result<DeploymentProposal> {
    const reading = readDeploymentText(text, null);
    if (!reading.valid) return failed(this.#invalid(reading.reason));
    const { deployment } = reading;
    const conflict = this.#conflict(deployment);
    if (conflict) return failed(conflict);
    const shown: DeploymentProposal = {
      proposalId: Buffer.from(this.#options.random.bytes(16)).toString('hex'),
      summary: summaryOf(deployment, 'added'),
      infrastructureUrl: deployment.infrastructureUrl,
      coordinationUrl: deployment.coordinationUrl,
      replacesSameOrigin: this.#known.has(deployment.id),
    };
    this.#proposal = { shown, deployment };
    return ok(shown);
  }

  /** Makes a proposal known. The reply is the deployment's id. */
  async confirm(proposalId: string): Promise<Result<string>> {
    const proposal = this.#proposal;
    if (proposal?.shown.proposalId !== proposalId) return failed(this.#noProposal());
    const { deployment } = proposal;
    const conflict = this.#conflict(deployment);
    if (conflict) return failed(conflict);
    const before = this.#known.get(deployment.id);
    this.#known.set(deployment.id, { deployment, source: 'added' });
    const saved = await this.#save();
    if (!saved.ok) {
      if (before) this.#known.set(deployment.id, before);
      else this.#known.delete(deployment.id);
      return saved;
    }
    this.#proposal = null;
    return ok(deployment.id);
  }

  dismiss(proposalId: string): Result<null> {
    if (this.#proposal?.shown.proposalId !== proposalId) return failed(this.#noProposal());
    this.#proposal = null;
    return ok(null);
  }

  async remove(id: string): Promise<Result<null>> {
    if (!this.#known.delete(id))
      return failed(makeFailure({ code: 'deployment-unknown', at: this.#options.now() }));
    if (this.#chosen === id) this.#chosen = null;
    return this.#save();
  }

  async #readNamed({ path, source }: NamedDeployment): Promise<Result<Deployment>> {
    const at = this.#options.now();
    const where = source === 'command-line' ? 'on the command line' : 'by the environment';
    let text: string;
    try {
      text = await this.#options.readTextFile(path);
    } catch {
      const sentence = `The deployment file named ${where} cannot be read.`;
      return failed(makeFailure({ code: 'deployment-unreadable', at, sentence }));
    }
    const reading = readDeploymentText(text, folderOf(path));
    if (!reading.valid) return failed(this.#invalid(reading.reason, ` named ${where}`));
    const conflict = this.#conflict(reading.deployment);
    return conflict ? failed(conflict) : ok(reading.deployment);
  }

  #conflict(deployment: Deployment): Failure | null {
    const known = this.#known.get(deployment.id)?.deployment;
    if (!known || originOf(known.infrastructureUrl) === originOf(deployment.infrastructureUrl)) return null;
    const sentence =
      `The deployment "${deployment.id}" is known at ${hostOf(known.infrastructureUrl)}; ` +
      `this file names ${hostOf(deployment.infrastructureUrl)} for it and was refused.`;
    return makeFailure({ code: 'deployment-conflict', at: this.#options.now(), sentence });
  }

  #invalid(reason: string, which = ''): Failure {
    const sentence = `The deployment file${which} was refused. ${reason}`;
    return makeFailure({ code: 'deployment-invalid', at: this.#options.now(), sentence });
  }

  #noProposal(): Failure {
    const sentence = 'This deployment is not waiting for a confirmation any more.';
    return makeFailure({ code: 'deployment-unknown', at: this.#options.now(), sentence });
  }

  #save(): Promise<Result<null>> {
    return this.#book.save([...this.#known.values()], this.#chosen);
  }
}
