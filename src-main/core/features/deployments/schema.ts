import { isAbsolute } from 'node:path';
import { z } from 'zod';
import {
  foldWord,
  rankingFault,
  type RankingFault,
  type SeverityRanking,
} from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { isLoopbackHost } from '../../base/origins.ts';
import type { ServiceAddress } from '../../service/transport/address.ts';
import { largestPage } from '../../service/api/pageLimits.ts';
import { describeIssue, faultMessage, type FileFault } from './issue.ts';

const idPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

type AddressKind = 'service' | 'proxy' | 'gateway' | 'updates';

/** The rule that an address breaks. Never repeats the address, which may hold a password. */
function addressFault(text: string, kind: AddressKind): FileFault | null {
  if (kind === 'proxy' && text === 'system') return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'file.address';
  }
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/*[^/?#]*@/i.test(text)) {
    return 'file.noCredentials';
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'file.https';
  if (kind === 'updates' && url.protocol !== 'https:') return 'file.https';
  if (kind !== 'proxy' && url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'file.httpsOrLoopback';
  }
  if (text.includes('?') || text.includes('#')) return 'file.noQuery';
  if (kind === 'proxy' && url.pathname !== '/') return 'file.noPath';
  return null;
}

/** An address that an administrator writes into a file. */
export const address = (kind: AddressKind) =>
  z
    .string()
    .max(2048, faultMessage('file.mostCharacters', { most: 2048 }))
    .superRefine((text, context) => {
      const fault = addressFault(text, kind);
      if (fault) context.addIssue({ code: 'custom', message: faultMessage(fault) });
    });

const text = (limit: number) =>
  z
    .string()
    .min(1, faultMessage('file.notEmpty'))
    .max(limit, faultMessage('file.mostCharacters', { most: limit }));

const milliseconds = (least: number, most: number) => {
  const fault = faultMessage('file.milliseconds', { least: String(least), most: String(most) });
  return z.int(fault).min(least, fault).max(most, fault);
};

const count = (least: number, most: number) => {
  const fault = faultMessage('file.between', { least: String(least), most: String(most) });
  return z.int(fault).min(least, fault).max(most, fault);
};

const fieldName = text(128).optional();

/** The names of nested objects, with dots between them. */
const fieldPath = text(256).regex(/^[^.]+(?:\.[^.]+){0,7}$/, faultMessage('file.fieldPath'));

/** The path of an operation, relative to the base address of its API. */
const path = text(512)
  .regex(/^\/(?!\/)[^?#\s\\]*$/, faultMessage('file.path'))
  .refine((written) => !written.split('/').includes('..'), faultMessage('file.noParent'));

/** A member of a form or of JSON. Without line breaks and quotes, which would end it early in a multipart header. */
const member = text(128).regex(/^[^"\r\n\0]+$/, faultMessage('file.noQuote'));

/** A field that is sent with every upload. A credential as its value would stand in a file that must hold none. */
const extraField = member.refine(
  (name) => !/token|password|passwd|secret|authorization|credential|api[-_ ]?key/i.test(name),
  faultMessage('file.noCredential'),
);

const mostStatuses = 64;
const severityWord = text(64);
const mostSeverities = 32;
const severityFaults: Readonly<Record<RankingFault, FileFault>> = {
  blank: 'file.notBlank',
  twice: 'file.severityTwice',
  order: 'file.severityOrder',
};

/** From worst to least. Each is a name, or a name with other words for the same severity. */
const severities = z
  .array(
    z.union(
      [
        severityWord.transform((name) => ({ name, synonyms: [] as string[] })),
        z.strictObject({
          name: severityWord,
          synonyms: z
            .array(severityWord)
            .max(mostSeverities, faultMessage('file.mostEntries', { most: mostSeverities }))
            .default([]),
        }),
      ],
      faultMessage('file.severity'),
    ),
  )
  .min(1, faultMessage('file.oneEntry'))
  .max(mostSeverities, faultMessage('file.mostEntries', { most: mostSeverities }))
  .superRefine((ranking, context) => {
    const found = rankingFault(ranking);
    if (found === null) return;
    context.addIssue({
      code: 'custom',
      path: [found.at],
      message: faultMessage(severityFaults[found.fault]),
    });
  });

/**
 * A deployment file, version 1. Strict: an unknown key is refused, so that a credential cannot be in a file unnoticed,
 * and a misspelt setting is not ignored silently.
 */
export const deploymentFileSchema = z.strictObject({
  version: z.literal(1, faultMessage('file.one')),
  id: z
    .string()
    .regex(idPattern, faultMessage('file.id'))
    .refine((id) => id !== 'training', faultMessage('file.idTaken')),
  name: text(128).refine((name) => name.trim() !== '', faultMessage('file.notBlank')),
  infrastructureUrl: address('service'),
  coordinationUrl: address('service'),
  timestampUnit: z
    .enum(['seconds', 'milliseconds', 'auto'], faultMessage('file.timestampUnit'))
    .default('auto'),
  health: z.strictObject({ aiAnalysis: fieldName, ipfsPinning: fieldName, ledger: fieldName }).default({}),
  loginPath: path.default('/login'),
  caFile: text(4096).nullable().default(null),
  /** Whether the authorities that the computer trusts count too. */
  systemAuthorities: z.boolean(faultMessage('file.trueOrFalse')).default(false),
  /** A URL, or `system`. */
  proxy: address('proxy').nullable().default(null),
  timeouts: z
    .strictObject({
      attemptMs: milliseconds(100, 600_000).default(15_000),
      totalMs: milliseconds(100, 900_000).default(45_000),
      /** An event stream that sends nothing for this long, not even a comment, counts as dead. */
      eventsMs: milliseconds(1000, 3_600_000).default(90_000),
    })
    .prefault({}),
  pollIntervals: z
    .strictObject({
      incidentsMs: milliseconds(1000, 3_600_000).default(15_000),
      healthMs: milliseconds(1000, 3_600_000).default(15_000),
    })
    .prefault({}),
  sync: z
    .strictObject({
      requestsPerMinute: count(1, 6000).default(120),
      /** What the service and gateways may cost in an hour, both ways; null for no limit. */
      bytesPerHour: count(10_000, 1_000_000_000_000).nullable().default(null),
      /** The `limit` of requests for incidents, null for none. A service that refuses it is asked for less. */
      pageSize: count(1, 10_000).nullable().default(largestPage),
    })
    .prefault({}),
  /** Whether data is saved on the link until an operator says otherwise. */
  saveData: z.boolean(faultMessage('file.trueOrFalse')).default(false),
  /** How long incidents are stored on this computer. With `days` null their age does not matter. */
  retention: z
    .strictObject({
      days: count(1, 36_500).nullable().default(null),
      incidents: count(1, 10_000_000).default(1_000_000),
      notReturnedDays: count(0, 36_500).default(30),
    })
    .prefault({}),
  evidencePath: path.default('/evidence'),
  /** How a file is sent (interface: POST /storage, which does not show the form). */
  upload: z
    .strictObject({
      path: path.default('/storage'),
      /** The name of the form's part for the file. */
      field: member.default('file'),
      /** The member of the answer that holds the CID. */
      cidField: member.default('cid'),
      /** Further parts of the form, sent in this order before the file. */
      fields: z
        .record(extraField, z.string().max(4096, faultMessage('file.mostCharacters', { most: 4096 })))
        .default({}),
      /** The part for the id of the incident that the file is evidence of; null when there is none. */
      incidentField: member.nullable().default(null),
      /** Whether operators are asked for a separate service token (interface: Authentication, 7). */
      separateSignIn: z.boolean(faultMessage('file.trueOrFalse')).default(false),
    })
    .prefault({}),
  /** Null where the deployment has none: the specification does not name the paths for rejecting and listing. */
  missions: z
    .strictObject({
      approvePath: path.default('/admin/missions/approve'),
      rejectPath: path.nullable().default(null),
      pendingPath: path.nullable().default(null),
      /** The member with a mission's id, in requests and answers. */
      idField: member.default('mission_id'),
      /** The member for an operator's reason for a rejection; null where the service takes none. */
      reasonField: member.nullable().default(null),
    })
    .prefault({}),
  /** Server-sent events of the Coordination API; null when there are none. */
  eventsPath: path.nullable().default(null),
  /**
   * Which events say where a drone is: `off` for none, `auto` for those that certainly do, or the names of the fields,
   * with dots between those of nested objects.
   */
  positions: z
    .union(
      [
        z.enum(['auto', 'off']),
        z.strictObject({
          id: fieldPath,
          latitude: fieldPath,
          longitude: fieldPath,
          altitude: fieldPath.optional(),
          heading: fieldPath.optional(),
          speed: fieldPath.optional(),
          at: fieldPath.optional(),
        }),
      ],
      faultMessage('file.positions'),
    )
    .default('auto'),
  /** How severities rank (src-preload/contract/severity.ts); null for the console's own ranking. */
  severities: severities.nullable().default(null) satisfies z.ZodType<SeverityRanking>,
  /** Statuses that mean closed in this deployment, beside resolved and closed (src-preload/contract/status.ts). */
  closedStatuses: z
    .array(text(64).refine((status) => foldWord(status) !== '', faultMessage('file.notBlank')))
    .max(mostStatuses, faultMessage('file.mostEntries', { most: mostStatuses }))
    .default([]),
  /** Addresses that open a CID: the CID is appended after a slash. */
  gateways: z
    .array(address('gateway').transform((written) => (written.endsWith('/') ? written : `${written}/`)))
    .max(16, faultMessage('file.mostEntries', { most: 16 }))
    .default([]),
  /** Whether the console fetches evidence from the gateways itself. */
  evidencePreview: z.enum(['off', 'ask', 'auto'], faultMessage('file.evidencePreview')).default('ask'),
  /** The most bytes of evidence on this computer. */
  evidenceCache: count(0, 2 ** 40).default(2 * 2 ** 30),
});

/** A deployment with every default filled in and an absolute `caFile`. URLs stay as written. */
export type Deployment = z.output<typeof deploymentFileSchema>;

export type DeploymentReading =
  | { readonly valid: true; readonly deployment: Deployment }
  | { readonly valid: false; readonly reason: Message };

/**
 * Reads a parsed deployment file. The reason of a refusal begins with the path of the bad key and never repeats a
 * value.
 */
export function readDeployment(value: unknown): DeploymentReading {
  const result = deploymentFileSchema.safeParse(value, { reportInput: false });
  if (!result.success) {
    const [issue] = result.error.issues;
    return {
      valid: false,
      reason: issue ? describeIssue(issue, 'file.notOfDeployment') : message('file.noShape'),
    };
  }
  const { timeouts, caFile } = result.data;
  if (timeouts.totalMs < timeouts.attemptMs) {
    return { valid: false, reason: message('file.timeouts') };
  }
  if (caFile !== null && caFile.includes('\0')) {
    return { valid: false, reason: message('file.caPath') };
  }
  return { valid: true, deployment: result.data };
}

/** The deployment as the computer's policy has it. */
export const ruledBy = (
  { systemAuthorities }: { readonly systemAuthorities: boolean | undefined },
  deployment: Deployment,
): Deployment => (systemAuthorities === undefined ? deployment : { ...deployment, systemAuthorities });

/** Where the service of a deployment is. `ca` is the text of its private CA file. */
export const serviceAddress = (deployment: Deployment, ca: string | null): ServiceAddress => ({
  infrastructureUrl: deployment.infrastructureUrl,
  coordinationUrl: deployment.coordinationUrl,
  loginPath: deployment.loginPath,
  ca,
  systemAuthorities: deployment.systemAuthorities,
  proxy: deployment.proxy,
  attemptTimeoutMs: deployment.timeouts.attemptMs,
  totalTimeoutMs: deployment.timeouts.totalMs,
});

/** Whether the CA file's path is usable without the folder of the deployment file. */
export const hasAbsoluteCa = ({ caFile }: Deployment): boolean => caFile === null || isAbsolute(caFile);
