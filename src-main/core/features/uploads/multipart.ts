import type { UploadTarget } from './item.ts';

export interface Form {
  readonly boundary: string;
  readonly target: Pick<UploadTarget, 'field' | 'fields' | 'incidentField'>;
  readonly incidentId: string | null;
  readonly fileName: string;
  /** The file's size. */
  readonly bytes: number;
}

export interface Framed {
  readonly contentType: string;
  readonly contentLength: number;
  /** Bytes of the body before the file. */
  readonly before: number;
  /** Puts the frame around a file's bytes. Rejects with `ShortFile` when their number is wrong. */
  readonly around: (file: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;
}

/** The spooled file is shorter than before. */
export class ShortFile extends Error {
  override readonly name = 'ShortFile';
}

/**
 * The body of an upload (interface: POST /storage, multipart): the deployment's fields in their order, the incident if
 * there is a part for it, and the file last. The same form makes the same bytes, so that a retry can repeat them under
 * its key.
 */
export function frame(form: Form): Framed {
  const { boundary, target, incidentId, fileName, bytes } = form;
  const fields =
    target.incidentField === null || incidentId === null
      ? target.fields
      : [...target.fields, [target.incidentField, incidentId] as const];
  const texts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${formName(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${texts.join('')}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${formName(target.field)}"; filename="${formName(fileName)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.byteLength + bytes + tail.byteLength,
    before: head.byteLength,
    async *around(file) {
      yield head;
      let left = bytes;
      for await (const piece of file) {
        left -= piece.byteLength;
        if (left < 0) throw new ShortFile('The spooled file is longer than it was');
        yield piece;
      }
      if (left > 0) throw new ShortFile('The spooled file is shorter than it was');
      yield tail;
    },
  };
}

/** A name or file name in a form's header, escaped as the WHATWG specifies for `form-data`. */
export const formName = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));
