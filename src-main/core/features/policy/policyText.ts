import type { KioskMode, PolicyState } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { findJsonFault, notJson } from '../deployments/index.ts';
import { noPolicy, safestPolicy, usualHidePointerMs, usualIdleLockMs, type Policy } from './policy.ts';
import { readPolicyFile, trainingWord, type PolicyFile } from './schema.ts';
import { readVerifier, type CodeVerifier } from './verifier.ts';

/** The largest policy, bytes. */
export const largestPolicy = 65_536;

export interface FoundPolicy {
  readonly source: Extract<PolicyState['source'], 'machine' | 'command-line'>;
  readonly path: string;
  /** The kiosk that the start options ask for. A kiosk in the policy takes precedence. */
  readonly asked: KioskMode;
  /** Unix milliseconds, the time of failures. */
  readonly at: number;
}

/** Reads a policy's text. If it cannot be used, the result is the safest policy. */
export function readPolicyText(text: string, found: FoundPolicy): Policy {
  if (Buffer.byteLength(text) > largestPolicy) {
    return unusablePolicy(message('file.tooLarge'), text, found);
  }
  const fault = findJsonFault(text);
  if (fault) return unusablePolicy(notJson(fault), text, found);
  const reading = readPolicyFile(JSON.parse(text));
  return reading.file === null ? unusablePolicy(reading.reason, text, found) : policyOf(reading.file, found);
}

/**
 * The safest policy, for a file that cannot be used because of `reason`. `text` is its readable part: a misspelt word
 * elsewhere must not turn a kiosk into a desktop.
 */
export function unusablePolicy(reason: Message, text: string | null, found: FoundPolicy): Policy {
  const { path, asked, at } = found;
  const legible = text === null ? null : kioskIn(text);
  const sentence = message('policy.unusable', { reason });
  return safestPolicy({
    path,
    problem: makeFailure({ code: 'policy-invalid', at, sentence }),
    kiosk: legible?.mode ?? asked,
    verifier: legible?.verifier ?? null,
  });
}

function policyOf(file: PolicyFile, { source, path, asked }: FoundPolicy): Policy {
  const { kiosk: rules = {}, updates, deployments } = file;
  const kiosk = rules.mode ?? asked;
  const inKiosk = kiosk !== 'off';
  const usualIdle = inKiosk ? usualIdleLockMs(kiosk) : undefined;
  const idleLockMs = rules.idleLockMinutes === undefined ? usualIdle : inMs(rules.idleLockMinutes, 60_000);
  // On a computer with a policy, the administrator also decides about updates.
  const fixed: PolicyState['fixed'] = ['updates'];
  if (rules.mode !== undefined || inKiosk) fixed.push('kiosk');
  if (deployments !== undefined) fixed.push('deployments');
  if (idleLockMs !== undefined) fixed.push('idleLock');
  if (file.exports !== undefined || inKiosk) fixed.push('exports');
  if (file.evidencePreview !== undefined) fixed.push('evidencePreview');
  if (file.saveData !== undefined) fixed.push('saveData');
  if (rules.drop !== undefined || inKiosk) fixed.push('drop');
  if (file.logLevel !== undefined) fixed.push('logLevel');
  return {
    source,
    path,
    problem: null,
    fixed,
    kiosk,
    leave: rules.leave === undefined ? { kind: 'anybody' } : { kind: 'code', verifier: rules.leave },
    idleLockMs,
    hidePointerMs: inKiosk
      ? rules.hidePointerSeconds === undefined
        ? usualHidePointerMs
        : inMs(rules.hidePointerSeconds, 1_000)
      : null,
    rotateMs: rules.rotateSeconds === undefined ? noPolicy.rotateMs : rules.rotateSeconds * 1_000,
    drop: rules.drop ?? !inKiosk,
    exports: file.exports ?? !inKiosk,
    evidencePreview: file.evidencePreview ?? true,
    saveData: file.saveData,
    systemAuthorities: file.systemAuthorities,
    updates: { allowed: updates?.allowed ?? false, server: updates?.server ?? null },
    logLevel: file.logLevel ?? noPolicy.logLevel,
    deployments:
      deployments === undefined
        ? { kind: 'any' }
        : {
            kind: 'listed',
            files: deployments.filter((entry) => entry !== trainingWord),
            training: deployments.includes(trainingWord),
          },
    passwordOnly: file.passwordOnly ?? false,
  };
}

const inMs = (count: number | null, unit: number): number | null => (count === null ? null : count * unit);

interface LegibleKiosk {
  readonly mode: KioskMode | null;
  readonly verifier: CodeVerifier | null;
}

/** The kiosk in a text that is not a valid policy. A misspelt mode is not "off". */
function kioskIn(text: string): LegibleKiosk {
  const { mode, leave } = findJsonFault(text) ? kioskInRemains(text) : kioskInJson(JSON.parse(text));
  return {
    mode: mode === undefined || mode === 'off' ? null : mode === 'wallboard' ? mode : 'operator',
    verifier: typeof leave === 'string' ? readVerifier(leave) : null,
  };
}

interface Remains {
  readonly mode: unknown;
  readonly leave: unknown;
}

function kioskInJson(body: unknown): Remains {
  const kiosk = isObject(body) ? ownValue(body, 'kiosk') : undefined;
  if (!isObject(kiosk)) return { mode: undefined, leave: undefined };
  return { mode: ownValue(kiosk, 'mode'), leave: ownValue(kiosk, 'leave') };
}

/** No other members of a policy have these names, so a search finds them even in a text that breaks off. */
const kioskInRemains = (text: string): Remains => ({
  mode: /"mode"\s*:\s*"([^"]{1,32})"/.exec(text)?.[1],
  leave: /"leave"\s*:\s*"([^"]{1,256})"/.exec(text)?.[1],
});
