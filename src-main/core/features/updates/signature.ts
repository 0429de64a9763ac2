import { createPublicKey, verify } from 'node:crypto';
import { bytesOfBase64, keyIdForm, type UpdateKey } from './trust.ts';

/** The largest signature file, bytes. */
export const largestSignature = 2_048;
const mostLines = 8;
const signatureBytes = 64;

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410) up to the key's own 32 bytes. */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');

interface SignatureLine {
  readonly id: string;
  readonly signature: Buffer;
}

/** `<key id> <base64>` on each line: a release may be signed with an old key and its successor. */
function readLines(file: Uint8Array): readonly SignatureLine[] | null {
  if (file.byteLength > largestSignature) return null;
  const lines = Buffer.from(file)
    .toString('latin1')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  if (lines.length > mostLines) return null;
  const read: SignatureLine[] = [];
  for (const line of lines) {
    const [id = '', text = '', ...more] = line.split(' ');
    const signature = bytesOfBase64(text, signatureBytes);
    if (more.length > 0 || !keyIdForm.test(id) || signature === null) return null;
    read.push({ id, signature });
  }
  return read;
}

export type SignatureVerdict =
  | { readonly kind: 'genuine'; readonly keys: readonly UpdateKey[] }
  /**
   * `unreadable`: not a signature file; `unknown-key`: no signature by a known key; `forged`: by a known key, but not
   * over these bytes.
   */
  | { readonly kind: 'unreadable' | 'unknown-key' | 'forged' };

/**
 * Checks the detached signature over exactly these bytes. `keys` in the result are all keys whose signature is valid.
 */
export function checkSignature(
  bytes: Uint8Array,
  signatureFile: Uint8Array,
  known: readonly UpdateKey[],
): SignatureVerdict {
  const lines = readLines(signatureFile);
  if (lines === null) return { kind: 'unreadable' };
  const matching = lines.flatMap(({ id, signature }) =>
    known.filter((key) => key.id === id).map((key) => ({ key, signature })),
  );
  if (matching.length === 0) return { kind: 'unknown-key' };
  const keys = matching
    .filter(({ key, signature }) => isSignedBy(key, bytes, signature))
    .map(({ key }) => key);
  return keys.length === 0 ? { kind: 'forged' } : { kind: 'genuine', keys };
}

function isSignedBy(key: UpdateKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  const raw = bytesOfBase64(key.publicKey, 32);
  if (raw === null) return false;
  const publicKey = createPublicKey({ key: Buffer.concat([spkiHead, raw]), format: 'der', type: 'spki' });
  return verify(null, bytes, publicKey, signature);
}
