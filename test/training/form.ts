import type { Scene } from './support.ts';

export interface SentFile {
  readonly name?: string;
  readonly bytes?: Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly token?: string;
  readonly mediaType?: string;
}

const boundary = 'the-same-in-every-attempt';
export const formType = `multipart/form-data; boundary=${boundary}`;

const escaped = (text: string): string => text.replaceAll('"', '%22');

/** What stands before and after a file's bytes: the same for the same file, as a retry must be. */
export function formAround({ name = 'a.bin', fields = {}, mediaType }: SentFile): {
  readonly head: Buffer;
  readonly tail: Buffer;
} {
  const others = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  return {
    head: Buffer.from(
      `${others.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; ` +
        `filename="${escaped(name)}"\r\ncontent-type: ${mediaType ?? 'application/octet-stream'}\r\n\r\n`,
    ),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

export function formOf(file: SentFile): Buffer {
  const { head, tail } = formAround(file);
  return Buffer.concat([head, file.bytes ?? Buffer.from('bytes of a file'), tail]);
}

/** Sends a file to `POST /storage`. */
export const upload = ({ coordinate }: Pick<Scene, 'coordinate'>, file: SentFile = {}): Promise<Response> =>
  coordinate('/storage', {
    method: 'POST',
    body: formOf(file) as Uint8Array<ArrayBuffer>,
    headers: {
      'content-type': formType,
      ...(file.key === undefined ? {} : { 'idempotency-key': file.key }),
      ...(file.token === undefined ? {} : { authorization: `Bearer ${file.token}` }),
    },
  });
