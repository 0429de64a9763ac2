import { hiddenCharacters, type Failure } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { refusedFile } from './messages.ts';

/** The service's limit is not known (interface: Limits). Tests run up to this size. */
const mostBytes = 5 * 1024 ** 3;

const anotherFile = message('upload.anotherFile');

export type Admission =
  | { readonly admitted: true; readonly fileName: string }
  | { readonly admitted: false; readonly failure: Failure };

/** Whether a file is accepted: by its name, its size, and the free space. */
export function admit(file: {
  readonly fileName: string;
  readonly bytes: number;
  /** Free bytes, less those of announced files; null where that is not known. */
  readonly room: number | null;
  /** Bytes of copies that stay because nothing proves that the service has them. */
  readonly unprovenBytes: number;
  /** Server time, Unix milliseconds. */
  readonly now: number;
}): Admission {
  const { bytes, room, unprovenBytes, now } = file;
  const refuse = (sentence: Message, remedy: Message): Admission => ({
    admitted: false,
    failure: refusedFile(sentence, now, remedy),
  });
  const fileName = safeFileName(file.fileName);
  if (fileName === null) return refuse(message('upload.noName'), anotherFile);
  if (bytes > mostBytes) {
    return refuse(message('upload.tooLarge'), anotherFile);
  }
  if (room !== null && room < bytes) {
    return refuse(
      message('upload.noRoom', { neededBytes: bytes, leftBytes: Math.max(0, room) }),
      unprovenBytes > 0
        ? message('upload.kept.roomRemedy', { unprovenBytes })
        : message('upload.diskFullRemedy'),
    );
  }
  return { admitted: true, fileName };
}

const mostNameBytes = 255;

/**
 * A file's name for display and sending: without a path and characters that show nothing or change the direction of
 * text, at most 255 bytes of UTF-8. Null when nothing is left.
 */
export function safeFileName(given: string): string | null {
  const name = given
    .toWellFormed()
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '');
  const plain = (name ?? '').replace(hiddenCharacters, '').trim();
  const cut = cutToBytes(plain, mostNameBytes);
  return cut === '' || cut === '.' || cut === '..' ? null : cut;
}

/** Cuts at a code point. */
function cutToBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
