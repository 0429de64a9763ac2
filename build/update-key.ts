/**
 * Makes a pair of keys for updates: `node build/update-key.ts <id> <file for the private key>`.
 *
 * The private key is written as PEM, for its owner alone, and never over a file that is there; the entry
 * of the public key for build/update-keys.json is printed.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import process from 'node:process';

const [id = '', file, ...more] = process.argv.slice(2);
if (more.length > 0 || file === undefined || !/^[a-z0-9][a-z0-9-]{0,31}$/.test(id)) {
  process.stderr.write('Usage: node build/update-key.ts <id: a-z, 0-9 and -> <file for the private key>\n');
  process.exit(2);
}
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
try {
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === 'EEXIST' ? 'it is there already' : message;
  process.stderr.write(`The private key was not written to ${file}: ${why}\n`);
  process.exit(1);
}
// The last 32 bytes of the usual form are the key itself.
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
process.stdout.write(`${JSON.stringify({ id, publicKey: raw.toString('base64') })}\n`);
