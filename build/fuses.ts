/**
 * The nine fuses of Electron 45, each set on purpose. electron-builder knows eight of them, so its own
 * setting is left unused and the hook in electron-builder.ts sets all of them here.
 */
import { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire, FuseState } from '@electron/fuses';

type FuseName = keyof typeof FuseV1Options;

export const fuses: Readonly<Record<FuseName, boolean>> = {
  // The application must never be a Node for another script.
  RunAsNode: false,
  // There are no cookies, and the key for them would be asked of the key store at each start.
  EnableCookieEncryption: false,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  // Holds on Windows and macOS; Electron has no such check on Linux.
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  // There is no snapshot of the browser process in the package.
  LoadBrowserProcessSpecificV8Snapshot: false,
  // No page is loaded from file:, so none needs more than a web page may.
  GrantFileProtocolExtraPrivileges: false,
  // WebAssembly then runs with the usual guard pages instead of a check at every access.
  WasmTrapHandlers: true,
};

/**
 * Sets all nine. A fuse that a later Electron adds stops the packaging until it is decided about.
 *
 * @param otherwise what differs from the shipped setting
 * @param resetSignature whether macOS's ad hoc signature is made again, when no real one follows
 */
export async function setFuses(
  executable: string,
  otherwise: Partial<typeof fuses> = {},
  resetSignature = false,
): Promise<void> {
  const wanted = Object.entries({ ...fuses, ...otherwise }).map(([name, on]) => [
    FuseV1Options[name as FuseName],
    on,
  ]);
  await flipFuses(executable, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: resetSignature,
    ...(Object.fromEntries(wanted) as Record<FuseV1Options, boolean>),
  });
}

/** Reads them back. */
export async function readFuses(
  executable: string,
): Promise<Record<string, boolean | 'removed' | 'unknown'>> {
  const { version: _version, ...wire } = await getCurrentFuseWire(executable);
  const states = Object.entries(wire as Partial<Record<FuseV1Options, FuseState>>);
  const words: Partial<Record<FuseState, boolean | 'removed'>> = {
    [FuseState.ENABLE]: true,
    [FuseState.DISABLE]: false,
    [FuseState.REMOVED]: 'removed',
  };
  return Object.fromEntries(
    states.map(([index, state]) => [
      FuseV1Options[Number(index)] ?? `fuse ${index}`,
      words[state] ?? 'unknown',
    ]),
  );
}
