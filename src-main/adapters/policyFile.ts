import { lstat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { codeOf, isMissing } from '../core/base/errors.ts';
import { message, type Message } from '../core/base/messages/message.ts';
import { openPlain, readCapped } from './plainFile.ts';
import { largestTextFile, textOf } from './textFile.ts';

/**
 * The path of the computer's policy. Never from the environment: the user who starts the console can set
 * `%ProgramData%`.
 */
export function policyPathOf(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\ProgramData\\Field Console\\policy.json';
  if (platform === 'darwin') return '/Library/Application Support/Field Console/policy.json';
  return '/etc/field-console/policy.json';
}

/**
 * `absent`: the computer has none. `unusable`: there is one that does not count, for `reason`, a sentence; `text` is
 * its readable part.
 */
export type PolicyFile =
  | { readonly kind: 'absent' }
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'unusable'; readonly reason: Message; readonly text: string | null };

/**
 * Reads the computer's policy. Where files have owners, it counts only if the file and its folder belong to root, no
 * other user may write them, and neither is a link: otherwise a user who can change it would set the policy. Never
 * rejects.
 *
 * @param mapPath the real path for a path of the computer, for tests.
 */
export async function readMachinePolicy(options: {
  readonly platform: NodeJS.Platform;
  readonly mapPath?: (path: string) => string;
}): Promise<PolicyFile> {
  const { platform, mapPath = (path: string): string => path } = options;
  const path = policyPathOf(platform);
  const folder = (platform === 'win32' ? win32 : posix).dirname(path);
  const unusable = (reason: Message, text: string | null = null): PolicyFile => ({
    kind: 'unusable',
    reason,
    text,
  });
  try {
    const { file, about } = await openPlain(mapPath(path));
    try {
      const text = textOf(await readCapped(file, largestTextFile));
      if (text === null) return unusable(message('policy.file.notText'));
      if (platform !== 'win32') {
        const around = await lstat(mapPath(folder));
        if (canBeChanged(about) || canBeChanged(around) || !around.isDirectory()) {
          return unusable(message('policy.file.changeable'), text);
        }
      }
      return { kind: 'found', text };
    } finally {
      await file.close();
    }
  } catch (error) {
    return isMissing(error) ? { kind: 'absent' } : unusable(message(whyNot(error)));
  }
}

function whyNot(error: unknown): `policy.file.${'link' | 'notAFile' | 'tooLarge' | 'unopened'}` {
  switch (codeOf(error)) {
    case 'ELOOP':
      return 'policy.file.link';
    case 'ENOTFILE':
      return 'policy.file.notAFile';
    case 'EFBIG':
      return 'policy.file.tooLarge';
    default:
      return 'policy.file.unopened';
  }
}

const canBeChanged = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  uid !== 0 || (mode & 0o022) !== 0;
