import type { App, CommandLine } from 'electron';
import type { RecoveryAdvice } from '../recovery/remembered.ts';

/**
 * Chooses what draws. Call it before Electron is ready.
 *
 * Chromium does not take its software WebGL by itself any more: without the switch a computer without a
 * usable GPU has no map at all, and so has one whose GPU failed too often. The switch is called unsafe because
 * that renderer compiles what pages give it in the GPU's process; here the only page is the console's own.
 */
export function drawWith(
  app: Pick<App, 'disableHardwareAcceleration'> & {
    readonly commandLine: Pick<CommandLine, 'appendSwitch'>;
  },
  advice: Pick<RecoveryAdvice, 'gpuOffSince'>,
): void {
  app.commandLine.appendSwitch('enable-unsafe-swiftshader');
  if (advice.gpuOffSince !== null) app.disableHardwareAcceleration();
}
