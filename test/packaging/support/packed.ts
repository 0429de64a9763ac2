import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { extractAll } from '@electron/asar';

const root = resolve(import.meta.dirname, '../../..');
/** What packing needs of a check-out, and no more. */
const sources = [
  ...['build', 'src-main', 'src-preload', 'src-renderer', 'CHANGELOG.md', 'LICENSE', 'docs/install.md'],
  ...['package.json', 'package-lock.json', 'electron.vite.config.ts'],
  ...['tsconfig.base.json', 'tsconfig.main.json', 'tsconfig.preload.json', 'tsconfig.renderer.json'],
  ...['tsconfig.core.json'],
];

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ran> {
  return new Promise((answer, refuse) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', refuse);
    child.on('close', (status) => answer({ status, stdout, stderr }));
  });
}

/** A package that was made from a copy of this check-out. */
export interface Packed {
  /** The copy; its node_modules are this check-out's. */
  readonly root: string;
  readonly dist: string;
  readonly unpacked: string;
  readonly archive: string;
  readonly output: string;
  /** Unpacks the archive, for what cannot read inside of one. */
  extract(): Promise<string>;
  remove(): Promise<void>;
}

/** Builds and packs a copy, as `npm run package -- --dir` does on a clean check-out. */
export async function pack(): Promise<Packed> {
  const copy = await mkdtemp(join(tmpdir(), 'field-console-packed-'));
  for (const name of sources) {
    await mkdir(dirname(join(copy, name)), { recursive: true });
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const { status, stdout, stderr } = await run(process.execPath, ['build/package.ts', '--dir'], {
    cwd: copy,
  });
  if (status !== 0) throw new Error(`Packing failed with status ${status}: ${stdout}${stderr}`);
  const dist = join(copy, 'dist');
  const unpacked = join(dist, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked');
  const archive = join(unpacked, 'resources/app.asar');
  return {
    root: copy,
    dist,
    unpacked,
    archive,
    output: stdout,
    extract: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'field-console-extracted-'));
      extractAll(archive, folder);
      return folder;
    },
    remove: () => rm(copy, { recursive: true, force: true }),
  };
}

export const sha256Of = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
