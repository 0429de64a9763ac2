import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { mostCheckRequests, type CheckReport } from '../../../../src-preload/contract/index.ts';
import { isObject } from '../../base/json.ts';
import type { Clock } from '../../base/ports.ts';
import { apiBases, type ServiceAddress } from '../../service/transport/address.ts';
import { authoritiesOf, type Network } from '../../service/transport/network.ts';
import type { ApiName } from '../../service/transport/request.ts';
import { serviceAddress, type Deployment } from '../deployments/index.ts';
import { Asker, type AskerOptions } from './asker.ts';
import { lookAtEvents } from './eventProbe.ts';
import { Findings, followingFile, listOf, reasonOf } from './findings.ts';
import { lookAtIncidents } from './incidentProbes.ts';

const dayMs = 86_400_000;
const evidenceLimit = 5;
/** How long the event stream is listened to, milliseconds. */
const usualListenMs = 10_000;
/** Paths that may have such a list: the specification names none. */
const pendingPaths = ['/admin/missions/pending', '/missions/pending', '/admin/missions'];

/** The report with the deployment file that follows from it, which a person has to confirm. */
export interface DeploymentCheckReport extends CheckReport {
  readonly file: Readonly<Record<string, unknown>>;
}

export interface DeploymentCheckOptions extends Omit<AskerOptions, 'address' | 'signal' | 'onRequest'> {
  readonly deployment: Deployment;
  /** The deployment file as it was written. `deployment` is the same file, read. */
  readonly file: Readonly<Record<string, unknown>>;
  /** PEM text of the deployment's private CA. */
  readonly ca: string | null;
  readonly username: string;
  readonly signal?: AbortSignal;
  readonly onRequest?: (count: number, most: number) => void;
  readonly listenMs?: number;
}

/**
 * Finds out what a deployment does where the specification leaves it open, with reads only. Sends at most
 * `mostCheckRequests` requests, one login among them, and never tries an operation that has an effect. Never rejects
 * because of what a service does.
 */
export async function checkDeployment(options: DeploymentCheckOptions): Promise<DeploymentCheckReport> {
  const { deployment, file, ca, clock, network, signal = new AbortController().signal } = options;
  const address = serviceAddress(deployment, ca);
  const asker = new Asker({
    ...options,
    address,
    signal,
    onRequest: (count) => options.onRequest?.(count, mostCheckRequests),
  });
  const findings = new Findings(asker);
  const checkedAt = clock.wallNow();
  try {
    for (const api of ['infrastructure', 'coordination'] as const) {
      await lookAtCertificate({ api, address, clock, network, asker, findings });
    }
    for (const api of ['infrastructure', 'coordination'] as const) await lookAtHealth(api, asker, findings);
    await lookAtLogin(options, asker, findings);
    lookAtClock(asker, findings);
    await lookAtIncidents(asker, findings);
    await lookAtEvidence(deployment.evidencePath, asker, findings);
    await lookAtPending(deployment.missions.pendingPath, asker, findings);
    await lookAtEvents({
      path: deployment.eventsPath,
      positions: deployment.positions,
      asker,
      findings,
      clock,
      listenMs: options.listenMs ?? usualListenMs,
    });
    sumUp(asker, findings);
    for (const id of ['uploads', 'approvals', 'idempotency'] as const) findings.notTried(id);
    const { list } = findings;
    return {
      version: 1,
      deployment: {
        id: deployment.id,
        infrastructureUrl: deployment.infrastructureUrl,
        coordinationUrl: deployment.coordinationUrl,
      },
      checkedAt,
      requests: asker.requests,
      mostRequests: mostCheckRequests,
      logins: asker.logins,
      stopped: asker.stopped,
      findings: list,
      ...followingFile(file, list),
    };
  } finally {
    await asker.close();
  }
}

async function lookAtCertificate(options: {
  readonly api: ApiName;
  readonly address: ServiceAddress;
  readonly clock: Clock;
  readonly network: Network;
  readonly asker: Asker;
  readonly findings: Findings;
}): Promise<void> {
  const { api, address, clock, network, asker, findings } = options;
  const id = `certificate.${api}` as const;
  const { origin } = apiBases(address)[api];
  if (origin.startsWith('http:')) return findings.notSeen(id, 'no-tls');
  // A direct connection past the proxy would show another certificate, or none.
  if (address.proxy !== null) return findings.notSeen(id, 'proxy');
  const withheld = asker.spend();
  if (withheld !== null) return findings.notSeen(id, withheld);
  const reading = await readCertificate({
    origin,
    ca: authoritiesOf(address, network),
    clock,
    withinMs: address.attemptTimeoutMs,
  });
  if (reading.kind === 'failed') return findings.notSeen(id, reading.code);
  findings.seen(id, {
    daysLeft: Math.floor((reading.validTo - clock.wallNow()) / dayMs),
    validTo: new Date(reading.validTo).toISOString(),
  });
}

export type CertificateReading =
  | { readonly kind: 'read'; readonly validTo: number }
  | { readonly kind: 'failed'; readonly code: string };

/**
 * Opens one verified TLS connection to an origin, as requests do, sends nothing on it, and reads when the certificate
 * expires.
 */
export function readCertificate(options: {
  readonly origin: string;
  /** PEM; undefined for the usual authorities. */
  readonly ca: string[] | undefined;
  readonly clock: Clock;
  readonly withinMs: number;
}): Promise<CertificateReading> {
  const { origin, ca, clock, withinMs } = options;
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ca,
    });
    const end = (reading: CertificateReading): void => {
      cancel();
      socket.destroy();
      resolve(reading);
    };
    const cancel = clock.schedule(withinMs, () => end({ kind: 'failed', code: 'timed-out' }));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      end({ kind: 'failed', code: error.code ?? 'tls-refused' });
    });
    socket.once('secureConnect', () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(validTo) ? { kind: 'failed', code: 'unreadable-answer' } : { kind: 'read', validTo });
    });
  });
}

/** Finds the fields of a health answer by their shape. The deployment names them. */
async function lookAtHealth(api: ApiName, asker: Asker, findings: Findings): Promise<void> {
  const id = `health.${api}` as const;
  const asked = await asker.get({ api, path: '/health', withToken: false });
  if (asked.kind !== 'answer') return findings.notSeen(id, reasonOf(asked) ?? 'no-answer');
  const { body } = asked.answer;
  if (!isObject(body)) return findings.notSeen(id, 'no-object');
  const named = (kind: string): string[] =>
    findings.names(Object.keys(body).filter((name) => typeof body[name] === kind));
  findings.seen(id, {
    texts: named('string'),
    flags: named('boolean'),
    numbers: named('number'),
    others: named('object'),
  });
}

async function lookAtLogin(
  { username, deployment }: DeploymentCheckOptions,
  asker: Asker,
  findings: Findings,
): Promise<void> {
  const outcome = await asker.signIn(username);
  if (typeof outcome === 'string') return findings.notSeen('login', outcome);
  if (outcome.kind !== 'granted') {
    const reason = outcome.kind === 'rejected' ? 'credentials-refused' : outcome.failure.code;
    return findings.notSeen('login', reason, { tried: deployment.loginPath });
  }
  findings.seen('login', {
    path: deployment.loginPath,
    expiresAt: new Date(outcome.expiresAt).toISOString(),
    lifetimeSeconds: Math.round(outcome.lifetimeMs / 1_000),
  });
}

function lookAtClock({ serverTime }: Asker, findings: Findings): void {
  const skewMs = serverTime.skewMs();
  if (skewMs === null) return findings.notSeen('clock', 'no-date');
  // JSON has no negative zero.
  findings.seen('clock', { computerAheadSeconds: Math.round(skewMs / 1_000) + 0 });
}

async function lookAtEvidence(path: string, asker: Asker, findings: Findings): Promise<void> {
  const ask = (cursor?: string) =>
    asker.get({
      api: 'infrastructure',
      path,
      query: { limit: evidenceLimit, cursor },
      withToken: true,
      isList: true,
    });
  const asked = await ask();
  const list = asked.kind === 'answer' ? listOf(asked.answer, 'evidence') : null;
  if (list === null) return findings.notSeen('evidence', reasonOf(asked) ?? 'no-list', { tried: path });
  let cursorHonoured: boolean | null = null;
  if (list.nextCursor !== null) {
    const next = await ask(list.nextCursor);
    const page = next.kind === 'answer' ? listOf(next.answer, 'evidence') : null;
    const before = new Set(list.records.map((record) => JSON.stringify(record)));
    if (page !== null) {
      cursorHonoured =
        page.records.length > 0 && page.records.every((record) => !before.has(JSON.stringify(record)));
    }
  }
  findings.seen('evidence', {
    path,
    shape: list.shape,
    askedFor: evidenceLimit,
    returned: list.records.length,
    cursor: list.nextCursor !== null,
    cursorHonoured,
    fields: findings.names(fieldsOf(list.records)),
  });
}

/** Reads the path in the deployment file; without one, the paths that may have such a list. */
async function lookAtPending(path: string | null, asker: Asker, findings: Findings): Promise<void> {
  const paths = path === null ? pendingPaths : [path];
  let reason = 'not-found';
  for (const tried of paths) {
    const asked = await asker.get({ api: 'coordination', path: tried, withToken: true, isList: true });
    const list = asked.kind === 'answer' ? listOf(asked.answer, 'missions') : null;
    if (list !== null) {
      findings.seen('pendingMissions', {
        path: tried,
        shape: list.shape,
        returned: list.records.length,
        fields: findings.names(fieldsOf(list.records)),
      });
      return;
    }
    const why = reasonOf(asked) ?? 'no-list';
    if (why !== 'not-found') reason = why;
    if (asked.kind === 'withheld') break;
  }
  findings.notSeen('pendingMissions', reason, { tried: paths });
}

const fieldsOf = (records: readonly unknown[]): string[] => records.filter(isObject).flatMap(Object.keys);

function sumUp({ answers, roundTrips }: Asker, findings: Findings): void {
  if (answers.all === 0) findings.notSeen('requestIds', 'no-answer');
  else findings.seen('requestIds', { answers: answers.all, withId: answers.withId });
  const sorted = roundTrips.toSorted((a, b) => a - b);
  const longest = sorted.at(-1);
  if (longest === undefined) return findings.notSeen('roundTrip', 'no-answer');
  findings.seen('roundTrip', {
    answers: sorted.length,
    shortestMs: Math.round(sorted[0] ?? longest),
    middleMs: Math.round(sorted[sorted.length >> 1] ?? longest),
    longestMs: Math.round(longest),
  });
}
