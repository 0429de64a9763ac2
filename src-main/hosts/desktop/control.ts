import type { SystemState } from '../../../src-preload/contract/index.ts';
import type { DesktopControl, HostFact, SecondWindow, SystemControl } from '../../core/base/control.ts';
import type { HostControl } from '../../core/features/ports.ts';
import type { CrashDumps } from './crashDumps.ts';
import type { DesktopElectron } from './electron.ts';
import { storageBackend } from './settings/deviceSecret.ts';

const longestValue = 512;

/**
 * The desktop's functions for the console, made before there is a console or a window. `desktop` and `updates` come
 * from their own parts.
 */
export function createDesktopControl(options: {
  readonly electron: Pick<DesktopElectron, 'app' | 'safeStorage' | 'screen'>;
  readonly platform: NodeJS.Platform;
  /** From `process.versions`. */
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly desktop: DesktopControl | null;
  readonly updates: HostControl['updates'];
  readonly system: SystemControl;
  readonly crashDumps: CrashDumps;
  readonly workerLost: (name: string) => void;
  readonly openWindow: (show: SecondWindow) => void;
}): HostControl {
  const { electron, platform, versions, desktop, updates, system, workerLost, openWindow } = options;
  const { app, safeStorage, screen } = electron;
  const runtime = (name: string, value: string | undefined): HostFact => ({
    section: 'runtime',
    name,
    value: (value ?? 'unknown').slice(0, longestValue),
  });
  const feature = (name: string, value: string): HostFact => ({
    section: 'features',
    name,
    value: value.slice(0, longestValue),
  });
  return {
    // All other ends of the console use this way too, so that everything is closed.
    leave: () => app.quit(),
    desktop,
    updates,
    system,
    workerLost,
    openWindow: (show) => {
      openWindow(show);
      return null;
    },
    facts: async () => {
      await app.whenReady();
      return [
        runtime('Electron', versions['electron']),
        runtime('Chromium', versions['chrome']),
        runtime('V8', versions['v8']),
        runtime('Node', versions['node']),
        runtime('Language of the system', app.getLocale()),
        runtime('Crash dumps on this computer', options.crashDumps.describe()),
        runtime('Displays', String(screen.getAllDisplays().length)),
        feature('Sandbox of the page', app.commandLine.hasSwitch('no-sandbox') ? 'off' : 'on'),
        feature('Map drawn by', drawnBy(system.state())),
        feature('Graphics', graphics({ ...app.getGPUFeatureStatus() })),
        feature(
          'Secrets kept by the system',
          storageBackend({ safeStorage, platform }, system.state().keyStore),
        ),
      ];
    },
  };
}

function drawnBy({ gpuOffSince, gpuNextStart }: SystemState): string {
  if (gpuOffSince === null) return 'the graphics processor where there is one';
  const next = gpuNextStart ? 'it is used again from the next start' : 'it is tried again after a week';
  return `the processor since ${new Date(gpuOffSince).toISOString()}: the graphics processor failed 3 times; ${next}`;
}

const graphics = (status: Readonly<Record<string, string>>): string =>
  Object.entries(status)
    .map(([name, state]) => `${name}: ${state}`)
    .join(', ');
