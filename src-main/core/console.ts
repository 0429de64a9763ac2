import type {
  Failure,
  LinkMessage,
  Push,
  Result,
  TrainingSwitches,
  DeploymentSummary,
} from '../../src-preload/contract/index.ts';

/** One page's mirror. The console keeps at most one push in flight until it is acknowledged. */
export interface Subscription {
  /** Takes a page's acknowledgement or its request for a snapshot. */
  answer(message: LinkMessage): void;
  close(): void;
}

/** The console as a host sees it: verbs in, pushes out. */
export interface Console {
  /** Validates `request` against the verb's schema and runs it. Never rejects. */
  call(verb: string, request: unknown): Promise<Result<unknown>>;
  /** Starts with a snapshot. `send` must not throw; a page that is gone is unsubscribed by its host. */
  subscribe(send: (push: Push) => void): Subscription;
  /** Reads a deployment file that the system opened (double click) and puts it up for confirmation. */
  proposeDeploymentFile(path: string): Promise<Result<null>>;
  /** Tells the console that the machine woke up. */
  wake(): void;
  /** Drops every secret, stops every timer and closes every connection. */
  close(): Promise<void>;
}

/** The embedded training deployment as the core sees it. */
export interface TrainingControl {
  readonly infrastructureUrl: string;
  readonly coordinationUrl: string;
  readonly credentials: { readonly username: string; readonly password: string };
  switches(): TrainingSwitches;
  set(change: Partial<TrainingSwitches>): Promise<void>;
}

/** A deployment file named at start: its text and where it lies, or why it could not be read. */
export interface NamedDeployment {
  readonly source: Extract<DeploymentSummary['source'], 'command-line' | 'environment'>;
  readonly path: string;
}

export interface ConsoleOptions {
  readonly version: string;
  readonly host: 'desktop' | 'browser';
  /** Deployment files named by the command line or the environment, in that order. */
  readonly named: readonly NamedDeployment[];
  /**
   * Starts the embedded training deployment. Called only when no deployment was named and none is
   * known, or when `forceTraining` is set.
   */
  readonly startTraining: () => Promise<TrainingControl>;
  readonly forceTraining: boolean;
  /** How long after a lock the credentials are dropped, in milliseconds. */
  readonly forgetAfterMs: number;
  /** Start problems found before the console existed, shown on the sign-in page. */
  readonly problem: Failure | null;
}
