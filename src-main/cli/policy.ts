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
  /** The start must not go on. */
  | { readonly ok: false; readonly sentence: string };

/**
 * Which policy holds for a start: the machine's, else the one that the command line names, else none.
 * A file of the command line beside the machine's is refused, since somebody means it to count.
 *
 * @param mapPath where a path of the machine lies in truth, for tests.
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
      return { ok: false, sentence: 'This computer has a policy, so none is taken from the command line.' };
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
