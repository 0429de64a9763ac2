/**
 * Makes the Debian package from a packed application with `dpkg-deb`:
 * `node build/deb.ts [--from dist/linux-unpacked] [--arch amd64|arm64] [--output dist]`.
 *
 * electron-builder's own deb target needs a tool that it downloads; this one needs what every Debian
 * has. The same package comes out of the same folder: owners, modes and times are set here, the time
 * from SOURCE_DATE_EPOCH, else from the commit.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type Dirent,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { fileAssociations, linkScheme, signs } from './electron-builder.ts';
import type { KeyList, UpdateKey } from './sign-update.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const name = 'field-console';
const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410) up to the key's own 32 bytes. */
const ed25519SpkiHead = Buffer.from('302a300506032b6570032100', 'hex');
const maintainer =
  process.env['DEB_MAINTAINER'] ?? 'Field Console contributors <field-console@packages.invalid>';

const { values: given } = parseArgs({
  options: {
    from: { type: 'string', default: join(root, 'dist/linux-unpacked') },
    arch: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'amd64' },
    output: { type: 'string', default: join(root, 'dist') },
  },
});
if (!['amd64', 'arm64'].includes(given.arch)) throw new Error(`No such architecture: ${given.arch}`);

function commitTime() {
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 && /^\d+\s*$/.test(stdout) ? Number(stdout) : Math.floor(Date.now() / 1000);
}

const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? commitTime());
const date = new Date(epoch * 1000);
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// A pre-release sorts before its release: 1.0.0~beta.1.
const debVersion = `${version.replace('-', '~')}-1`;
const template = (file: string) => readFileSync(join(root, 'build/deb', file), 'utf8');

const tree = mkdtempSync(join(tmpdir(), 'field-console-deb-'));
const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
  const target = join(tree, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
  chmodSync(target, mode);
};
// gzip would write the time and the system into its header; level 9 and zeroes are what Debian wants.
const zipped = (text: string | Uint8Array) => {
  const bytes = gzipSync(text, { level: 9 });
  bytes[9] = 3;
  return bytes;
};

/** The application, with the modes that a package may have whatever the umask was. */
function putApplication() {
  const target = join(tree, 'usr/lib', name);
  cpSync(resolve(given.from), target, { recursive: true, verbatimSymlinks: true });
  const kind = join(target, 'resources/install-kind.txt');
  const [, signed] = readFileSync(kind, 'utf8').split('\n');
  writeFileSync(kind, `deb\n${signed}\n`);
  // Its text is in the package's copyright file.
  rmSync(join(target, 'LICENSE.electron.txt'), { force: true });
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync(`../lib/${name}/${name}`, join(tree, 'usr/bin', name));
}

function desktopEntry() {
  const types = [...fileAssociations.map(({ mimeType }) => mimeType), `x-scheme-handler/${linkScheme}`];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Field Console',
    `Comment=${description}`,
    `Exec=${name} %u`,
    `Icon=${name}`,
    'Terminal=false',
    'Categories=Utility;',
    `MimeType=${types.join(';')};`,
    `StartupWMClass=${name}`,
    '',
  ].join('\n');
}

function mimeTypes() {
  const parents: Readonly<Record<string, string>> = {
    fieldconsole: 'application/json',
    mbtiles: 'application/vnd.sqlite3',
  };
  const types = fileAssociations.map(({ ext, mimeType, description: words }) => {
    const parent = parents[ext] ? `    <sub-class-of type="${parents[ext]}"/>\n` : '';
    return `  <mime-type type="${mimeType}">\n    <comment>${words}</comment>\n${parent}    <glob pattern="*.${ext}"/>\n  </mime-type>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n${types.join('')}</mime-info>\n`;
}

const changelog = () => `${name} (${debVersion}) unstable; urgency=medium

  * Release ${version}; what changed is in changelog.gz.

 -- ${maintainer}  ${date.toUTCString().replace('GMT', '+0000')}
`;

const updateKeys = `usr/lib/${name}/update-keys`;
/** A key of releases as install-update reads it: PEM, and the last release that it may sign where it has one. */
function putUpdateKey({ id, publicKey, notAfterSequence }: UpdateKey) {
  const spki = Buffer.concat([ed25519SpkiHead, Buffer.from(publicKey, 'base64')]).toString('base64');
  put(`${updateKeys}/${id}.pem`, `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`);
  if (notAfterSequence !== undefined) put(`${updateKeys}/${id}.last`, `${notAfterSequence}\n`);
}

function putRest() {
  put(`usr/share/applications/${name}.desktop`, desktopEntry());
  put(`usr/share/mime/packages/${name}.xml`, mimeTypes());
  for (const size of sizes) {
    const icon = readFileSync(join(root, `build/icons/${size}x${size}.png`));
    put(`usr/share/icons/hicolor/${size}x${size}/apps/${name}.png`, icon);
  }
  put(
    `usr/share/icons/hicolor/scalable/apps/${name}.svg`,
    readFileSync(join(root, 'src-renderer/design/icon.svg')),
  );
  put(`usr/share/man/man1/${name}.1.gz`, zipped(template('field-console.1')));
  put(`usr/share/${name}/apparmor`, template('apparmor'));
  put(`usr/share/doc/${name}/copyright`, template('copyright'));
  put(`usr/share/doc/${name}/changelog.Debian.gz`, zipped(changelog()));
  put(`usr/share/doc/${name}/changelog.gz`, zipped(readFileSync(join(root, 'CHANGELOG.md'))));
  // The kiosk lies there unused until an administrator enables its unit (docs/kiosk.md).
  const kiosk = (file: string) => readFileSync(join(root, 'build/kiosk/linux', file));
  put(`usr/lib/${name}/kiosk/field-console-kiosk`, kiosk('field-console-kiosk'), 0o755);
  put('usr/lib/systemd/system/field-console-kiosk.service', kiosk('field-console-kiosk.service'));
  put(`usr/lib/${name}/install-update`, template('install-update'), 0o755);
  const question = 'org.fieldconsole.install-update.policy';
  put(`usr/share/polkit-1/actions/${question}`, template(question));
  const { channel, sequence, keys }: KeyList = JSON.parse(
    readFileSync(join(root, 'build/update-keys.json'), 'utf8'),
  );
  put(`${updateKeys}/channel`, `${channel}\n`);
  put(`${updateKeys}/sequence`, `${sequence}\n`);
  for (const key of keys) putUpdateKey(key);
  put(`usr/share/lintian/overrides/${name}`, template('lintian-overrides'));
}

/** Every path of the tree, folders before what is in them. */
function walk(folder: string): { path: string; entry: Dirent }[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return [{ path, entry }, ...(entry.isDirectory() ? walk(path) : [])];
    });
}

function putControl() {
  const files = walk(tree).filter(({ entry }) => entry.isFile());
  const sums = files.map(({ path }) => {
    const digest = createHash('md5').update(readFileSync(path)).digest('hex');
    return `${digest}  ${relative(tree, path)}\n`;
  });
  // In KiB, each file and folder rounded up, as Debian's own tools count it.
  const kibibytes = walk(tree).reduce(
    (sum, { path, entry }) => sum + (entry.isFile() ? Math.ceil(lstatSync(path).size / 1024) : 1),
    0,
  );
  const fields: Readonly<Record<string, string>> = {
    VERSION: debVersion,
    ARCH: given.arch,
    MAINTAINER: maintainer,
    SIZE: String(kibibytes),
  };
  const control = template('control').replace(/@(\w+)@/g, (whole, key: string) => fields[key] ?? whole);
  put('DEBIAN/control', control);
  put('DEBIAN/md5sums', sums.join(''));
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, template(script), 0o755);
}

function settle() {
  const all = walk(tree);
  for (const { path, entry } of all) {
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(tree, 0o755);
  // Folders last: writing into one changes its time.
  for (const { path } of all.reverse()) lutimesSync(path, date, date);
  lutimesSync(tree, date, date);
}

try {
  putApplication();
  putRest();
  putControl();
  settle();
  const suffix = signs('linux') ? '' : '-unsigned';
  const target = resolve(given.output, `${name}-${version}-linux-${given.arch}${suffix}.deb`);
  mkdirSync(dirname(target), { recursive: true });
  const { status } = spawnSync(
    'dpkg-deb',
    ['--root-owner-group', '--threads-max=1', '-Zxz', '--build', tree, target],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } },
  );
  if (status !== 0) throw new Error(`dpkg-deb left with status ${status}`);
  process.stdout.write(`${target}\n`);
} finally {
  rmSync(tree, { recursive: true, force: true });
}
