import { lstat, type FileHandle } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { isMissing } from '../core/base/errors.ts';
import { message, type Message } from '../core/base/messages/message.ts';
import { openToRead } from './durableFiles.ts';
import { readCapped } from './textFile.ts';

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
  let file: FileHandle;
  try {
    if ((await lstat(mapPath(path))).isSymbolicLink()) return unusable(message('policy.file.link'));
    file = await openToRead(mapPath(path), { follow: false });
  } catch (error) {
    return isMissing(error) ? { kind: 'absent' } : unusable(message('policy.file.unopened'));
  }
  try {
    const about = await file.stat();
    if (!about.isFile()) return unusable(message('policy.file.notAFile'));
    const text = await readCapped(file);
    if (text === 'too-large') return unusable(message('policy.file.tooLarge'));
    if (text === 'not-text') return unusable(message('policy.file.notText'));
    if (platform !== 'win32') {
      const around = await lstat(mapPath(folder));
      if (canBeChanged(about) || canBeChanged(around) || !around.isDirectory()) {
        return unusable(message('policy.file.changeable'), text.text);
      }
    }
    return { kind: 'found', text: text.text };
  } catch {
    return unusable(message('policy.file.unread'));
  } finally {
    await file.close();
  }
}

const canBeChanged = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  uid !== 0 || (mode & 0o022) !== 0;
