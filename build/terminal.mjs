/** Which signals reach a child without its parent passing them on. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The process group of this process and the one in the foreground of its terminal; the latter is 0 or less
 * where there is no terminal. Null where it cannot be found out.
 */
function groups() {
  try {
    if (process.platform === 'linux') {
      // The name of the program stands in brackets and may hold anything; the fields come after it.
      const fields = readFileSync('/proc/self/stat', 'utf8').split(')').at(-1)?.trim().split(' ') ?? [];
      return { own: Number(fields[2]), foreground: Number(fields[5]) };
    }
    const { stdout } = spawnSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
      encoding: 'utf8',
    });
    const [own, foreground] = stdout.trim().split(/\s+/).map(Number);
    return { own, foreground };
  } catch {
    return null;
  }
}

const atStart = process.platform === 'win32' ? null : groups();

/**
 * Whether a signal that came to this process came to its whole process group. A terminal sends SIGINT (Ctrl+C)
 * to the group in its foreground, and SIGHUP when it is closed, after which it can no longer be asked.
 * Windows sends Ctrl+C to every program of the console, and Node would end the child there instead of passing
 * it on.
 */
export function reachesGroup(signal) {
  if (process.platform === 'win32') return signal === 'SIGINT';
  if (signal === 'SIGHUP') return atStart !== null && atStart.foreground > 0;
  if (signal !== 'SIGINT') return false;
  const now = groups();
  return now !== null && now.own === now.foreground;
}
