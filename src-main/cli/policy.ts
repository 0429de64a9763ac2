import { basename } from 'node:path';
import { createClock } from '../adapters/clock.ts';
import { policyPathOf, readMachinePolicy } from '../adapters/policyFile.ts';
import { readTextFile, TextFileError } from '../adapters/textFile.ts';
import { message } from '../core/base/messages/message.ts';
import { kioskWithoutPolicy, type Policy } from '../core/features/policy/policy.ts';
import { readPolicyText, unusablePolicy, type FoundPolicy } from '../core/features/policy/policyText.ts';
import type { StartOptions } from '../hosts/arguments.ts';

export type PolicyOfStart =
  | { readonly ok: true; readonly policy: Policy }
  /** The start is refused. */
  | { readonly ok: false; readonly sentence: string };

/**
 * The policy for a start: the computer's, else the one on the command line, else none. When there are both, the start is
 * refused, since the one on the command line would be ignored unnoticed.
 *
 * @param mapPath the real path for a path of the computer, for tests.
 */
export async function policyOfStart(options: {
  readonly start: Pick<StartOptions, 'policy' | 'kiosk'>;
  readonly platform: NodeJS.Platform;
  readonly mapPath?: (path: string) => string;
}): Promise<PolicyOfStart> {
  const { start, platform, mapPath } = options;
  const at = createClock().wallNow();
  const machine = await readMachinePolicy({ platform, ...(mapPath && { mapPath }) });
  if (machine.kind !== 'absent') {
    if (start.policy !== null) {
      return { ok: false, sentence: 'This computer has a policy. Start without --policy.' };
    }
    const found: FoundPolicy = { source: 'machine', path: policyPathOf(platform), asked: start.kiosk, at };
    const policy =
      machine.kind === 'found'
        ? readPolicyText(machine.text, found)
        : unusablePolicy(machine.reason, machine.text, found);
    return { ok: true, policy };
  }
  if (start.policy === null) return { ok: true, policy: kioskWithoutPolicy(start.kiosk) };
  const found: FoundPolicy = { source: 'command-line', path: start.policy, asked: start.kiosk, at };
  try {
    return { ok: true, policy: readPolicyText(await readTextFile(start.policy), found) };
  } catch (error) {
    const reason =
      error instanceof TextFileError
        ? message(`policy.named.${error.reason}`, { fileName: basename(start.policy) })
        : message('policy.file.unread');
    return { ok: true, policy: unusablePolicy(reason, null, found) };
  }
}
