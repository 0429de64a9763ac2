import {
  mostCheckRequests,
  ok,
  type CheckedDeployment,
  type DeploymentCheckState,
  type FailureCode,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { AppContext } from '../context.ts';
import { fileOf, ruledBy, type Deployment } from '../deployments/index.ts';
import type { Download } from '../exports/index.ts';
import { checkDeployment, type DeploymentCheckReport } from './deploymentCheck.ts';

/** What checks need to know of the deployments. */
export interface KnownDeployments {
  /** The deployment that a page means; null when there is none. */
  readonly find: (of: CheckedDeployment) => Deployment | null;
  /** Whether a text repeats a secret of the running session. */
  readonly repeatsSecret: (text: string) => boolean;
}

interface Order {
  readonly of: CheckedDeployment;
  readonly username: string;
  readonly password: string;
}

export const deploymentCheckAtStart: DeploymentCheckState = { kind: 'none' };

/**
 * The checks that a page asks for, one at a time. The check gets the password and stores it nowhere: the console's
 * session has no password to lend.
 */
export class DeploymentChecks {
  readonly #app: AppContext;
  readonly #known: KnownDeployments;
  readonly #stop: () => void;
  /** Ends the running check; null while no check runs. */
  #ending: AbortController | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #report: DeploymentCheckReport | null = null;

  constructor(app: AppContext, known: KnownDeployments) {
    this.#app = app;
    this.#known = known;
    let wasOpen = false;
    // The next operator must not see what this one found out.
    this.#stop = app.store.watch('session', ({ vault }) => {
      if (wasOpen && vault !== 'open') this.dismiss();
      wasOpen = vault === 'open';
    });
  }

  start(order: Order): Result<null> {
    const { policy } = this.#app;
    // As on the command line: otherwise a person could choose where requests and a password go.
    if (policy.deployments.kind !== 'any') return this.#refuse('policy-forbids');
    if (this.#ending !== null) return this.#refuse('conflict', message('deploymentCheck.running'));
    const deployment = this.#known.find(order.of);
    if (deployment === null) return this.#refuse('deployment-unknown');
    this.#ending = new AbortController();
    this.#ended = Promise.all([this.#ended, this.#run(deployment, order, this.#ending)]);
    return ok(null);
  }

  cancel(): Result<null> {
    this.#ending?.abort();
    return ok(null);
  }

  dismiss(): Result<null> {
    this.#ending?.abort();
    this.#ending = null;
    this.#report = null;
    this.#app.store.set('deploymentCheck', deploymentCheckAtStart);
    return ok(null);
  }

  prepare(what: 'report' | 'file'): Result<Download> {
    const { policy, downloads } = this.#app;
    if (!policy.exports) return this.#refuse('policy-forbids', message('diagnostics.noSaving'));
    const report = this.#report;
    if (report === null) return this.#refuse('not-found', message('deploymentCheck.noReport'));
    const { id } = report.deployment;
    return ok(
      what === 'file'
        ? downloads.put(`${id}.json`, encoded(report.file))
        : downloads.put(`field-console-check-${id}-${dayAndTime(report.checkedAt)}.json`, encoded(report)),
    );
  }

  async close(): Promise<void> {
    this.#stop();
    this.dismiss();
    await this.#ended;
  }

  async #run(deployment: Deployment, order: Order, ending: AbortController): Promise<void> {
    const tell = (state: DeploymentCheckState): void => {
      if (this.#ending === ending) this.#app.store.set('deploymentCheck', state);
    };
    const tellProgress = (requests: number): void =>
      tell({ kind: 'running', deploymentId: deployment.id, requests, mostRequests: mostCheckRequests });
    tellProgress(0);
    const made = await this.#check(deployment, order, ending.signal, tellProgress);
    // The check was dismissed meanwhile, or another one runs now.
    if (this.#ending !== ending) return;
    if (made.ok) {
      this.#report = made.value;
      const { file, ...report } = made.value;
      tell({ kind: 'done', report, fileText: jsonText(file) });
    } else {
      tell({ kind: 'failed', failure: made.failure });
    }
    this.#ending = null;
  }

  async #check(
    deployment: Deployment,
    { username, password }: Order,
    signal: AbortSignal,
    onRequest: (count: number) => void,
  ): Promise<Result<DeploymentCheckReport>> {
    const { ports, policy } = this.#app;
    const { clock, random, logger, network, readTextFile } = ports;
    let ca: string | null = null;
    try {
      ca = deployment.caFile === null ? null : await readTextFile(deployment.caFile);
    } catch {
      return this.#refuse('deployment-unreadable', message('deployment.caUnreadable'));
    }
    try {
      const file = fileOf(deployment);
      const how = {
        clock,
        random,
        logger,
        network,
        signal,
        onRequest,
        repeatsSecret: this.#known.repeatsSecret,
      };
      const ruled = ruledBy(policy, deployment);
      return ok(await checkDeployment({ deployment: ruled, file, ca, username, password, ...how }));
    } catch (error) {
      // The private CA or the proxy does not allow any connection.
      logger.error('check-broke', { error: nameOf(error) });
      return this.#refuse('deployment-invalid', message('deployment.unusable'));
    }
  }

  #refuse(code: FailureCode, sentence?: Message): Result<never> {
    const said = sentence === undefined ? {} : { sentence, remedy: null };
    return this.#app.refuse({ code, ...said });
  }
}

const encoder = new TextEncoder();
const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const encoded = (value: unknown): Uint8Array => encoder.encode(jsonText(value));

/** As `20261120-1200`, in UTC. */
function dayAndTime(at: number): string {
  const digits = new Date(at).toISOString().replaceAll(/[-:]/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(9, 13)}`;
}
