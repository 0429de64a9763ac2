import type { App, CommandLine } from 'electron';
import type { RecoveryAdvice } from '../recovery/remembered.ts';

/**
 * Chooses the renderer. Call it before Electron is ready.
 *
 * Chromium no longer uses its software WebGL automatically: without the switch, a computer without a usable GPU, or
 * whose GPU failed too often, has no map. The switch is called unsafe because that renderer compiles pages' code in the
 * GPU's process; here the only page is the console's own. For the same reason no page is kept from graphics that were
 * lost twice within two minutes, which Chromium does otherwise.
 */
export function drawWith(
  app: Pick<App, 'disableDomainBlockingFor3DAPIs' | 'disableHardwareAcceleration'> & {
    readonly commandLine: Pick<CommandLine, 'appendSwitch'>;
  },
  advice: Pick<RecoveryAdvice, 'gpuOffSince'>,
): void {
  app.commandLine.appendSwitch('enable-unsafe-swiftshader');
  app.disableDomainBlockingFor3DAPIs();
  if (advice.gpuOffSince !== null) app.disableHardwareAcceleration();
}
