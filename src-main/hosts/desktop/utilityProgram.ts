import process from 'node:process';
import type { UtilityProcess } from 'electron';
import type { ForkProgram } from '../../core/base/ports.ts';
import type { DesktopElectron } from './electron.ts';

/** What `exit` says where the system's own signals, SIGKILL and SIGTERM, ended the process. */
const killedFromOutside: ReadonlySet<number> = new Set([9, 15]);

/**
 * Starts programs in Electron's utility processes, since the shipped Electron does not run as Node. They start once
 * Electron is ready, and Electron ends them with the console.
 */
export function createUtilityFork({ app, utilityProcess }: DesktopElectron): ForkProgram {
  return (file, args) => {
    let child: UtilityProcess | null = null;
    let isKilled = false;
    const onMessage: ((message: unknown) => void)[] = [];
    const onGone: ((how: 'killed' | 'broken') => void)[] = [];
    const gone = (how: 'killed' | 'broken'): void => {
      for (const listener of onGone.splice(0)) listener(how);
    };
    const started = app.whenReady().then(() => {
      if (isKilled) return gone('killed');
      child = utilityProcess.fork(file, [...args], {
        // An untrusted file must not reach this process's environment.
        env: {},
        execArgv: ['--max-old-space-size=128'],
        stdio: 'ignore',
        serviceName: 'Field Console map reader',
      });
      child.on('message', (message: unknown) => {
        for (const listener of onMessage) listener(message);
      });
      child.on('exit', (code) => gone(killedFromOutside.has(code) ? 'killed' : 'broken'));
    });
    started.catch(() => gone('broken'));
    return {
      post: (message) => void started.then(() => child?.postMessage(message)).catch(() => undefined),
      onMessage: (listener) => void onMessage.push(listener),
      onGone: (listener) => void onGone.push(listener),
      // Electron's own processes never keep it alive.
      hold: () => undefined,
      kill: () => {
        isKilled = true;
        // `child.kill()` only asks, which a process inside a query does not hear.
        if (child?.pid !== undefined) process.kill(child.pid, 'SIGKILL');
        else child?.kill();
      },
    };
  };
}
