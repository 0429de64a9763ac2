/**
 * Why Chromium's sandbox cannot be had for a program on this system. Chromium wants either namespaces that a
 * program without rights may make, or the setuid program `chrome-sandbox` beside its own; with neither it aborts.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const setuid = 0o4000;
const executableByOthers = 0o001;

/** Switches of the kernel and of distributions, each with the value that keeps namespaces from programs. */
const switches = [
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['kernel/unprivileged_userns_clone', '0'],
  ['user/max_user_namespaces', '0'],
];

/** @returns {string | null} the file's text without its line end, or null when it cannot be read */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Whether `chrome-sandbox` beside the program is what Chromium accepts: root's, setuid, executable. */
function hasSetuidHelper(helper) {
  try {
    const { uid, mode } = statSync(helper);
    return uid === 0 && (mode & setuid) !== 0 && (mode & executableByOthers) !== 0;
  } catch {
    return false;
  }
}

/** Whether a profile of AppArmor names the program: such a profile is what lets it have namespaces. */
function hasProfile(binary, folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).some(
      (entry) => entry.isFile() && textOf(join(folder, entry.name))?.includes(binary) === true,
    );
  } catch {
    return false;
  }
}

/** Whether a namespace with a mapped user can be made, as Chromium does; null where nothing here can try. */
function canMakeNamespace() {
  const { status, error } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
  return error ? null : status === 0;
}

/**
 * @param {string} binary absolute path of the Electron program
 * @param {object} [system] where to look, for tests
 * @returns {{ reason: string, helper: string } | null} null where nothing speaks against the sandbox; else why
 *   programs get no namespaces, as half a sentence, and the program that could be setuid instead
 */
export function sandboxProblem(binary, system = {}) {
  const { settings = '/proc/sys', profiles = '/etc/apparmor.d', tryNamespace = canMakeNamespace } = system;
  const helper = join(dirname(binary), 'chrome-sandbox');
  if (hasSetuidHelper(helper)) return null;
  for (const [name, refusing] of switches) {
    if (textOf(join(settings, name)) !== refusing) continue;
    if (name.includes('apparmor') && hasProfile(binary, profiles)) continue;
    return { reason: `${name.replaceAll('/', '.')} is ${refusing}`, helper };
  }
  return tryNamespace() === false ? { reason: 'making one was refused', helper } : null;
}

const quoted = (path) => `'${path.replaceAll("'", String.raw`'\''`)}'`;

/** What a person reads when Electron cannot have its sandbox, line by line: why, and what mends it. */
export function sandboxWords({ reason, helper }) {
  return [
    `Electron has no sandbox here. This system keeps user namespaces from programs (${reason}),`,
    `and ${helper} is not a setuid program of root.`,
    'These two commands mend it, until Electron is installed again:',
    `  sudo chown root:root ${quoted(helper)}`,
    `  sudo chmod 4755 ${quoted(helper)}`,
    'Or install the Debian package: it brings an AppArmor profile instead (docs/install.md).',
  ];
}
