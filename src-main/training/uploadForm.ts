import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';

interface FileFacts {
  readonly cid: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface UploadForm extends FileFacts {
  readonly fileName: string;
  readonly mediaType: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Reads a form with one file while it comes: the file is hashed and named, and kept nowhere.
 *
 * @returns what is wrong with the form, as a sentence, when it cannot be taken; also when the client
 * went away in the middle of it.
 */
export async function readUploadForm(
  headers: IncomingHttpHeaders,
  body: AsyncIterable<Uint8Array>,
): Promise<UploadForm | string> {
  const contentType = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) return 'The body must be multipart/form-data';
  let parser: BusboyInstance;
  try {
    // The name as it was sent: a client must not count on a service that cuts folders off.
    parser = new Busboy({ headers: { ...headers, 'content-type': contentType }, preservePath: true });
  } catch {
    return 'The form names no boundary';
  }
  const fields = new Map<string, string>();
  const files: BusboyFileStream[] = [];
  const taken: { file: { fileName: string; mediaType: string; facts: Promise<FileFacts> } | null } = {
    file: null,
  };
  parser.on('field', (name, value) => void fields.set(name, value));
  parser.on('file', (_part, stream, fileName, _encoding, mediaType) => {
    files.push(stream);
    if (taken.file) {
      stream.resume();
      return;
    }
    taken.file = { fileName, mediaType, facts: factsOf(stream as AsyncIterable<Uint8Array>) };
    // Awaited below; a form that breaks off before that must not be an unhandled rejection.
    taken.file.facts.catch(() => undefined);
  });
  try {
    await pipeline(body, parser);
    if (!taken.file) return 'The form holds no file';
    if (files.length > 1) return 'The form holds more than one file';
    const { fileName, mediaType, facts } = taken.file;
    return { ...(await facts), fileName, mediaType, fields: Object.fromEntries(fields) };
  } catch {
    for (const file of files) file.destroy();
    return 'The form cannot be read to its end';
  }
}

async function factsOf(stream: AsyncIterable<Uint8Array>): Promise<FileFacts> {
  // Loaded with the first file: an importer that most starts never need would slow down each of them.
  const { ProfileHashing } = await import('../core/features/evidence/cid/profiles.ts');
  const hashing = new ProfileHashing();
  for await (const chunk of stream) hashing.write(chunk);
  const { bytes, sha256, computed } = await hashing.finish();
  const cid = computed.find(({ profile }) => profile === 'v1-raw-256k')?.cid;
  if (cid === undefined) throw new Error('The profile of the training service is not computed');
  return { cid, bytes, sha256 };
}
