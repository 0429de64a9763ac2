import type { Release } from '../../../../src-preload/contract/index.ts';
import {
  packageFor,
  product,
  readManifest,
  type ReleaseManifest,
  type ReleasePackage,
  type UpdateTarget,
} from './release.ts';
import { checkSignature } from './signature.ts';
import type { UpdateTrust } from './trust.ts';
import { compareVersions } from './version.ts';

/** A release that may be installed. */
export interface AdmittedRelease {
  readonly release: Release;
  readonly sequence: number;
  readonly rollout: number;
  readonly package: ReleasePackage;
}

export type Refusal =
  | 'unsigned'
  | 'unknown-key'
  | 'forged'
  | 'retired-key'
  | 'unreadable'
  | 'other-product'
  | 'other-channel'
  | 'older'
  | 'replayed'
  | 'expired'
  | 'contradictory'
  | 'no-package';

export type Verdict =
  | { readonly kind: 'newer'; readonly admitted: AdmittedRelease }
  /** The release that runs. */
  | { readonly kind: 'current'; readonly sequence: number }
  /** `version` is set if a signature proves it, `sequence` if it counts as seen. */
  | {
      readonly kind: 'refused';
      readonly reason: Refusal;
      readonly version: string | null;
      readonly sequence: number | null;
    };

export interface JudgedRelease {
  readonly manifest: Uint8Array;
  readonly signature: Uint8Array;
  readonly trust: UpdateTrust;
  readonly target: UpdateTarget;
  readonly running: { readonly version: string; readonly sequence: number };
  /** The greatest number of a genuine release that this console has seen. */
  readonly greatestSeen: number;
  /** Unix milliseconds, the service's time if known. */
  readonly now: number;
}

/**
 * Whether a release may be installed, whatever its source. The signature over the bytes is checked before they are
 * parsed; then their content: product, channel, order, and a package for this computer.
 */
export function judgeRelease(judged: JudgedRelease): Verdict {
  const { manifest: bytes, signature, trust, target, running, greatestSeen, now } = judged;
  const signed = checkSignature(bytes, signature, trust.keys);
  if (signed.kind !== 'genuine') {
    return refused(signed.kind === 'unreadable' ? 'unsigned' : signed.kind, null);
  }
  const manifest = readManifest(bytes);
  if (manifest === null) return refused('unreadable', null);
  const { sequence, version } = manifest.release;
  const vouches = signed.keys.some(
    ({ notAfterSequence }) => notAfterSequence === undefined || sequence <= notAfterSequence,
  );
  if (!vouches) return refused('retired-key', manifest);
  if (manifest.product !== product) return refused('other-product', manifest);
  if (manifest.channel !== trust.channel) return refused('other-channel', manifest);
  const order = compareVersions(version, running.version);
  if (sequence === running.sequence && order === 0) return { kind: 'current', sequence };
  if (sequence <= running.sequence) {
    return refused(sequence === running.sequence || order === 0 ? 'contradictory' : 'older', manifest);
  }
  if (order === null || order <= 0) return refused('contradictory', manifest);
  if (sequence < greatestSeen) return refused('replayed', manifest);
  if (now >= Date.parse(manifest.release.expiresAt)) return refused('expired', manifest);
  const chosen = packageFor(manifest, target);
  if (chosen === null) return refused('no-package', manifest, sequence);
  return { kind: 'newer', admitted: admittedOf(manifest, chosen) };
}

const refused = (
  reason: Refusal,
  manifest: ReleaseManifest | null,
  sequence: number | null = null,
): Verdict => ({ kind: 'refused', reason, version: manifest?.release.version ?? null, sequence });

function admittedOf({ release }: ReleaseManifest, chosen: ReleasePackage): AdmittedRelease {
  const { version, releasedAt, sequence, rollout = 100 } = release;
  return {
    release: { version, bytes: chosen.bytes, releasedAt: Date.parse(releasedAt) },
    sequence,
    rollout,
    package: chosen,
  };
}
