import { basename } from 'node:path';
import {
  failed,
  ok,
  type DeploymentProposal,
  type DeploymentSummary,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { hostOf, originOf } from '../../base/origins.ts';
import type { BasePorts } from '../../base/ports.ts';
import { DeploymentList, type KnownDeployment } from './deploymentList.ts';
import { folderOf, readDeploymentText, summaryOf } from './file.ts';
import type { Deployment } from './schema.ts';

/** A deployment file named at start: its text and its path, or why it could not be read. */
export interface NamedDeployment {
  readonly source: Extract<DeploymentSummary['source'], 'command-line' | 'environment'>;
  readonly path: string;
}

/** Which deployments may be used. */
export type AllowedDeployments =
  | { readonly kind: 'any' }
  /** Only those that are known already: none is added or removed, and those named at start are ignored. */
  | { readonly kind: 'known' }
  /** Only these: absolute paths of deployment files, and whether training is allowed. */
  | { readonly kind: 'listed'; readonly files: readonly string[]; readonly training: boolean };

export interface DeploymentRegistryOptions extends Pick<
  BasePorts,
  'documents' | 'readTextFile' | 'random' | 'logger'
> {
  /** Deployment files named on the command line or in the environment, the preferred one first. */
  readonly named: readonly NamedDeployment[];
  /** The deployments that the computer's policy allows. */
  readonly allowed: AllowedDeployments;
  /** Unix milliseconds, the time of failures. */
  readonly now: () => number;
}

const namedInVain = message('deployment.namedInVain');

/** How a file became known, for the sentences about it. */
type Named = 'added' | 'commandLine' | 'environment' | 'listed';

/**
 * The deployments that this computer knows: those of its data folder, those named at start, and those that an operator
 * added and confirmed.
 *
 * Stored data belong to a deployment's `id` and the origin of its `infrastructureUrl`. So a file that names a known id
 * with another origin is refused until the old deployment is removed: otherwise it could reach the data of the other
 * one.
 */
export class DeploymentRegistry {
  readonly #options: DeploymentRegistryOptions;
  readonly #list: DeploymentList;
  #known = new Map<string, KnownDeployment>();
  /** The deployments in the data folder at the start. Stays as it is while a policy lists the deployments. */
  #kept: readonly KnownDeployment[] = [];
  #chosen: string | null = null;
  #proposal: { readonly shown: DeploymentProposal; readonly deployment: Deployment } | null = null;
  #bookProblem: Failure | null = null;
  #namedProblem: Failure | null = null;

  constructor(options: DeploymentRegistryOptions) {
    this.#options = options;
    this.#list = new DeploymentList(options, options.now);
  }

  /** Reads the data folder and the named files, and finds the chosen deployment. */
  async load(): Promise<void> {
    const { allowed, named } = this.#options;
    const { known, chosen, problem } = await this.#list.load();
    this.#kept = known;
    if (allowed.kind === 'listed') {
      this.#chosen = await this.#loadListed(allowed.files, chosen);
      return;
    }
    this.#known = new Map(known.map((entry) => [entry.deployment.id, entry]));
    this.#bookProblem = problem;
    const [only] = known;
    const remembered = chosen !== null && this.#known.has(chosen) ? chosen : null;
    this.#chosen = remembered ?? (known.length === 1 && only ? only.deployment.id : null);
    if (named.length === 0) return;
    // A named deployment comes first. When it cannot be used, no other one is chosen in its place.
    if (allowed.kind === 'any') this.#chosen = await this.loadNamed();
    else this.#namedProblem = this.#forbidden(namedInVain);
  }

  /**
   * Reads the named files; also called after a conflicting deployment was removed.
   *
   * @returns the id of the first one, or null when that one cannot be used.
   */
  async loadNamed(): Promise<string | null> {
    if (this.#fixed) return null;
    this.#namedProblem = null;
    const seen = new Set<string>();
    let first: string | null = null;
    let changed = false;
    for (const [index, named] of this.#options.named.entries()) {
      const how = named.source === 'command-line' ? 'commandLine' : 'environment';
      const reading = await this.#read(named.path, how);
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

  /** The problem that an operator must see before signing in; null for none. */
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

  /** Stores the choice for the next start. `id` null: none of these (training). */
  async choose(id: string | null): Promise<Result<null>> {
    if (this.#chosen === id) return ok(null);
    this.#chosen = id;
    return this.#save();
  }

  /** Reads the text of an added file, and holds it until the operator confirms it. */
  propose(text: string): Result<DeploymentProposal> {
    if (this.#fixed) return failed(this.#forbidden());
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

  /** The proposal with this id; null when there is none. */
  proposed(proposalId: string): Deployment | null {
    return this.#proposal?.shown.proposalId === proposalId ? this.#proposal.deployment : null;
  }

  /** Adds a confirmed proposal. The reply is the deployment's id. */
  async confirm(proposalId: string): Promise<Result<string>> {
    if (this.#fixed) return failed(this.#forbidden());
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
    if (this.#fixed) return failed(this.#forbidden());
    if (!this.#known.delete(id))
      return failed(makeFailure({ code: 'deployment-unknown', at: this.#options.now() }));
    if (this.#chosen === id) this.#chosen = null;
    return this.#save();
  }

  /** Whether a policy decides which deployments there are. */
  get #fixed(): boolean {
    return this.#options.allowed.kind !== 'any';
  }

  /**
   * Reads the files that the policy lists. The operator or a name at the start may choose one of them; otherwise the
   * first one is chosen, and none in its place when it cannot be used.
   */
  async #loadListed(files: readonly string[], remembered: string | null): Promise<string | null> {
    const ids = new Map<string, string>();
    for (const path of files) {
      const reading = await this.#read(path, 'listed');
      if (!reading.ok) {
        this.#namedProblem ??= reading.failure;
        continue;
      }
      const { id } = reading.value;
      ids.set(path, id);
      if (!this.#known.has(id)) this.#known.set(id, { deployment: reading.value, source: 'policy' });
    }
    const [named] = this.#options.named;
    if (named && !files.includes(named.path)) this.#namedProblem ??= this.#forbidden(namedInVain);
    const wanted = (named && ids.get(named.path)) ?? remembered;
    if (wanted !== null && this.#known.has(wanted)) return wanted;
    return ids.get(files[0] ?? '') ?? null;
  }

  async #read(path: string, how: Exclude<Named, 'added'>): Promise<Result<Deployment>> {
    const at = this.#options.now();
    let text: string;
    try {
      text = await this.#options.readTextFile(path);
    } catch {
      const sentence = message(`deployment.unread.${how}`, { fileName: basename(path) });
      return failed(makeFailure({ code: 'deployment-unreadable', at, sentence }));
    }
    const reading = readDeploymentText(text, folderOf(path));
    if (!reading.valid) return failed(this.#invalid(reading.reason, how, basename(path)));
    const conflict = this.#conflict(reading.deployment);
    return conflict ? failed(conflict) : ok(reading.deployment);
  }

  #conflict(deployment: Deployment): Failure | null {
    const known = this.#known.get(deployment.id)?.deployment;
    if (!known || originOf(known.infrastructureUrl) === originOf(deployment.infrastructureUrl)) return null;
    const sentence = message('deployment.elsewhere', {
      name: deployment.id,
      known: hostOf(known.infrastructureUrl),
      other: hostOf(deployment.infrastructureUrl),
    });
    return makeFailure({ code: 'deployment-conflict', at: this.#options.now(), sentence });
  }

  #invalid(reason: Message, how: Named = 'added', fileName = ''): Failure {
    const sentence = message(`deployment.refused.${how}`, { reason, fileName });
    return makeFailure({ code: 'deployment-invalid', at: this.#options.now(), sentence });
  }

  #forbidden(sentence?: Message): Failure {
    return makeFailure({ code: 'policy-forbids', at: this.#options.now(), sentence });
  }

  #noProposal(): Failure {
    const sentence = message('deployment.noProposal');
    return makeFailure({ code: 'deployment-unknown', at: this.#options.now(), sentence });
  }

  #save(): Promise<Result<null>> {
    const { allowed } = this.#options;
    const known = allowed.kind === 'listed' ? this.#kept : [...this.#known.values()];
    return this.#list.save(known, this.#chosen);
  }
}
