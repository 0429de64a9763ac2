/** What is looked at, in the order of the report. */
export const findingIds = [
  'certificate.infrastructure',
  'certificate.coordination',
  'health.infrastructure',
  'health.coordination',
  'login',
  'clock',
  'incidents',
  'incidents.token',
  'incidents.order',
  'incidents.limit',
  'incidents.timeUnit',
  'incidents.severity',
  'incidents.status',
  'incidents.pageSize',
  'incidents.cursor',
  'evidence',
  'pendingMissions',
  'events',
  'requestIds',
  'roundTrip',
  'uploads',
  'approvals',
  'idempotency',
] as const;
export type FindingId = (typeof findingIds)[number];

export type FindingValue = string | number | boolean | null | readonly string[];

/** One thing that was looked at. `values` holds what was observed, and nothing that follows from it. */
export interface Finding {
  readonly id: FindingId;
  /** `not-tried`: it would have an effect on the service. */
  readonly outcome: 'seen' | 'not-seen' | 'not-tried';
  /** Why it was not seen: a failure's code, or one of the check's own reasons. */
  readonly reason: string | null;
  readonly values: Readonly<Record<string, FindingValue>>;
  /** How many requests it cost. */
  readonly requests: number;
}

/** A key of the deployment file that follows, and the finding that it follows from. */
export interface FollowingKey {
  readonly key: string;
  readonly value: string;
  /** Whether the checked file had this value. */
  readonly change: 'confirmed' | 'changed';
  readonly reason: FindingId;
}

export interface DeploymentCheckReport {
  readonly version: 1;
  readonly deployment: {
    readonly id: string;
    readonly infrastructureUrl: string;
    readonly coordinationUrl: string;
  };
  /** This computer's clock at the start, Unix milliseconds. */
  readonly checkedAt: number;
  readonly requests: number;
  readonly mostRequests: number;
  readonly logins: number;
  /** Why the check ended early; null when it did not. */
  readonly stopped: 'budget' | 'token-refused' | 'cancelled' | null;
  readonly findings: readonly Finding[];
  /** The deployment file that follows. A person has to confirm it. */
  readonly file: Readonly<Record<string, unknown>>;
  readonly keys: readonly FollowingKey[];
}
