import type { Failure } from '../../../src-preload/contract/index.ts';
import { bytesText } from '../basemap/words.ts';
import { safeFileName } from './fileName.ts';
import { refusedFile } from './words.ts';

/** The service's own limit is not known (interface: Limits); this is what the console is tested with. */
const mostBytes = 5 * 1024 ** 3;

const anotherFile = 'Choose another file.';

export type Admission =
  | { readonly admitted: true; readonly fileName: string }
  | { readonly admitted: false; readonly failure: Failure };

/** Whether a file is taken in: by its name, its size, and the room that is left for it. */
export function admit(file: {
  readonly fileName: string;
  readonly bytes: number;
  /** Bytes that may still be written, less what is on its way; null where that is not known. */
  readonly room: number | null;
  /** Station time, Unix milliseconds. */
  readonly now: number;
}): Admission {
  const { bytes, room, now } = file;
  const refuse = (sentence: string, remedy: string): Admission => ({
    admitted: false,
    failure: refusedFile(sentence, now, remedy),
  });
  const fileName = safeFileName(file.fileName);
  if (fileName === null) return refuse('The file has no name that could be sent with it.', anotherFile);
  if (bytes > mostBytes) {
    return refuse('The file is larger than 5 GiB, the most that is sent.', anotherFile);
  }
  if (room !== null && room < bytes) {
    return refuse(
      `The disk has not enough room for a copy of this file (${bytesText(bytes)}): ${bytesText(Math.max(0, room))} is left.`,
      'Make room on the disk and add the file again.',
    );
  }
  return { admitted: true, fileName };
}
