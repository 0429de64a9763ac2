/**
 * Describes and signs a release: `node build/sign-update.ts [--key-file <file>] [--rollout <per cent>]
 * [--keys <file>] [--version <version>] [--valid-days <days, 365 without>] --out <folder> <package>...` writes release.json and
 * release.json.sig into the folder, for the packages that will lie beside them.
 *
 * The private key comes from the file, or from the environment variable FIELD_CONSOLE_UPDATE_KEY: PEM, or
 * several one after the other, where a release is to be believed by consoles with the old key and with
 * the new one. It is never an argument. Which key it is, the number of the release and its channel are
 * read from build/update-keys.json, which the very build embeds that is signed here.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const keyVariable = 'FIELD_CONSOLE_UPDATE_KEY';
/** The package that an ending is, and the system it is for. */
const kinds: Readonly<Record<string, { readonly platform: string; readonly kind: string }>> = {
  '.AppImage': { platform: 'linux', kind: 'appimage' },
  '.deb': { platform: 'linux', kind: 'deb' },
  '.exe': { platform: 'win32', kind: 'nsis' },
  '.zip': { platform: 'darwin', kind: 'mac-zip' },
};
/** What packages call an architecture. */
const arches: readonly (readonly [form: RegExp, arch: string])[] = [
  [/(^|[-_.])(x64|x86_64|amd64)([-_.]|$)/, 'x64'],
  [/(^|[-_.])(arm64|aarch64)([-_.]|$)/, 'arm64'],
  [/(^|[-_.])universal([-_.]|$)/, 'universal'],
];

/** build/update-keys.json */
export interface KeyList {
  readonly channel: string;
  readonly sequence: number;
  readonly keys: readonly UpdateKey[];
}
export interface UpdateKey {
  readonly id: string;
  readonly publicKey: string;
  readonly notAfterSequence?: number;
}

class Unusable extends Error {}

async function describe(path: string, version: string) {
  const file = basename(path);
  const ending = Object.keys(kinds).find((each) => file.endsWith(each));
  const arch = arches.find(([form]) => form.test(file))?.[1];
  if (ending === undefined || arch === undefined) {
    throw new Unusable(`${file}: its name does not say what system and architecture it is for`);
  }
  if (/unsigned/.test(file)) throw new Unusable(`${file}: an unsigned package does not update itself`);
  if (!file.includes(version)) throw new Unusable(`${file}: its name does not hold the version ${version}`);
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  const { size } = await stat(path);
  return { ...kinds[ending], arch, file, bytes: size, sha512: hash.digest('base64') };
}

const rawOf = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

/** The private keys of a PEM text, each with the entry of build/update-keys.json that belongs to it. */
function signersOf(pem: string, { keys, sequence }: KeyList) {
  const blocks = pem.match(/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g) ?? [];
  if (blocks.length === 0) throw new Unusable('There is no private key in PEM to sign with');
  return blocks.map((block) => {
    const privateKey = createPrivateKey(block);
    if (privateKey.asymmetricKeyType !== 'ed25519') throw new Unusable('A private key is not of Ed25519');
    const publicKey = createPublicKey(privateKey);
    const entry = keys.find((each) => each.publicKey === rawOf(publicKey));
    if (!entry) throw new Unusable('A private key belongs to no entry of the list of keys');
    if (entry.notAfterSequence !== undefined && sequence > entry.notAfterSequence) {
      throw new Unusable(`The key ${entry.id} is no longer valid for the release ${sequence}`);
    }
    return { id: entry.id, privateKey, publicKey };
  });
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'key-file': { type: 'string' },
      keys: { type: 'string', default: join(root, 'build/update-keys.json') },
      out: { type: 'string' },
      rollout: { type: 'string', default: '100' },
      'valid-days': { type: 'string', default: '365' },
      version: { type: 'string' },
    },
  });
  const rollout = Number(values.rollout);
  if (values.out === undefined || positionals.length === 0) {
    throw new Unusable('Name the folder with --out, and at least one package');
  }
  if (!(rollout >= 0 && rollout <= 100)) throw new Unusable('--rollout must be between 0 and 100');
  const validDays = Number(values['valid-days']);
  if (!(validDays >= 1 && validDays <= 3650)) {
    throw new Unusable('--valid-days must be between 1 and 3650');
  }
  const pem = values['key-file'] ? await readFile(values['key-file'], 'utf8') : process.env[keyVariable];
  if (!pem) throw new Unusable(`Name a file with --key-file, or set ${keyVariable}`);
  const list: KeyList = JSON.parse(await readFile(values.keys, 'utf8'));
  const { channel, sequence } = list;
  if (!(Number.isSafeInteger(sequence) && sequence > 0)) {
    throw new Unusable('The list of keys must give this release a number above 0: "sequence"');
  }
  const metadata: { readonly version: string } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const version = values.version ?? metadata.version;
  const signers = signersOf(pem, list);
  const packages = await Promise.all(positionals.map((path) => describe(path, version)));
  const now = Date.now();
  const release = {
    version,
    sequence,
    releasedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + validDays * 86_400_000).toISOString(),
    rollout,
  };
  const manifest = { version: 1, product: 'field-console', channel, release, packages };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const lines = signers.map(({ id, privateKey, publicKey }) => {
    const signature = sign(null, bytes, privateKey);
    if (!verify(null, bytes, publicKey, signature)) throw new Error('The signature does not hold');
    return `${id} ${signature.toString('base64')}\n`;
  });
  await writeFile(join(values.out, 'release.json'), bytes);
  await writeFile(join(values.out, 'release.json.sig'), lines.join(''));
  process.stdout.write(
    `release ${version}, number ${sequence}, ${packages.length} packages, signed with ${signers.map(({ id }) => id).join(', ')}\n`,
  );
}

main().catch((error: Error & { readonly code?: string }) => {
  const usage = error instanceof Unusable || error.code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${error.message}\n`);
  process.exit(usage ? 2 : 1);
});
