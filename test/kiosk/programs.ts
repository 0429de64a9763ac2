import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import process from 'node:process';

/** Whether a program is on this machine. */
export function isHere(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}

/** cage does not run as root: then its tests run as the user that owns nothing. */
export function plainUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A wlroots compositor without a screen, a keyboard or a graphics card. */
export const headlessCompositor = {
  WLR_BACKENDS: 'headless',
  WLR_RENDERER: 'pixman',
  WLR_LIBINPUT_NO_DEVICES: '1',
} as const;

/**
 * Xwayland wants its folder of sockets to be root's or its own user's. A compositor that makes it first,
 * as one user, keeps all others out; so it is made here as a system makes it at its start.
 */
export function makeSocketFolder(): void {
  const folder = '/tmp/.X11-unix';
  if (process.getuid?.() !== 0 || existsSync(folder)) return;
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
}
