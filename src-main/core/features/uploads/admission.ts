import type { Failure } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { safeFileName } from './fileName.ts';
import { refusedFile } from './messages.ts';

/** The service's own limit is not known (interface: Limits); this is what the console is tested with. */
const mostBytes = 5 * 1024 ** 3;

const anotherFile = message('upload.anotherFile');

export type Admission =
  | { readonly admitted: true; readonly fileName: string }
  | { readonly admitted: false; readonly failure: Failure };

/** Whether a file is taken in: by its name, its size, and the room that is left for it. */
export function admit(file: {
  readonly fileName: string;
  readonly bytes: number;
  /** Bytes that may still be written, less what is on its way; null where that is not known. */
  readonly room: number | null;
  /** Server time, Unix milliseconds. */
  readonly now: number;
}): Admission {
  const { bytes, room, now } = file;
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
      message('upload.diskFullRemedy'),
    );
  }
  return { admitted: true, fileName };
}
