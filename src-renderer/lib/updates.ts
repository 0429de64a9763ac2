import type { OutboxState, Release, UpdatesState } from '../../src-preload/contract/index.ts';
import { counted, dateTime, type Zone } from './format.ts';
import { bytesText } from './storage.ts';

/** Why this console is not updated from here, and who does it instead. */
export const withheldWords: Readonly<Record<Exclude<UpdatesState['offered'], 'yes'>, string>> = {
  policy: 'The policy of this computer leaves updates to whoever administers it.',
  kiosk: 'In a kiosk, updates are left to whoever administers this computer.',
  unsigned:
    'This build knows no key that releases are signed with, so it takes none. Install a signed one to have updates here.',
  managed: 'This console was installed by an administrator’s means, and is updated by them.',
  browser: 'This console runs in a browser. Whoever runs it on its computer updates it there.',
  development: 'This console runs from its source, and is not updated from here.',
};

/** `Version 1.1.0, 118 MB, released 19 Nov 2026, 08:00:00 UTC`. */
export const releaseText = ({ version, bytes, releasedAt }: Release, zone: Zone): string =>
  `Version ${version}, ${bytesText(bytes)}, released ${dateTime(releasedAt, zone)}`;

/** How the last look at the server stands: `Last checked 18 Nov 2026, 14:02:31 UTC`. */
export const checkedText = (at: number | null, zone: Zone): string =>
  at === null ? 'Not checked yet' : `Last checked ${dateTime(at, zone)}`;

/** `31% of 118 MB copied and checked`; whole per cent, and never a hundred before it is ready. */
export function takingText({
  release,
  bytes,
}: {
  readonly release: Release;
  readonly bytes: number;
}): string {
  const percent = Math.min(99, Math.floor((bytes / Math.max(1, release.bytes)) * 100));
  return `${percent}% of ${bytesText(release.bytes)}`;
}

/** What an installation means for who works here, one sentence each. */
export function installSentences(
  outbox: Pick<OutboxState, 'unsent'> | undefined,
  live: boolean,
): readonly string[] {
  const unsent = outbox?.unsent ?? 0;
  const sentences = ['The console closes, installs the update and starts again. That takes a minute or two.'];
  sentences.push(
    live
      ? 'You are signed out, and sign in again after the start.'
      : 'You sign in again after the start; without the service, your password opens what is kept here.',
  );
  sentences.push(
    unsent === 0
      ? 'Nothing waits to be sent. While the console is closed, no alarm sounds.'
      : `${counted(unsent, 'upload that is not sent yet stops', 'uploads that are not sent yet stop')}. Nothing of the queue is lost: it goes on after you sign in. While the console is closed, no alarm sounds.`,
  );
  return sentences;
}
