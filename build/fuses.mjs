/**
 * The nine fuses of Electron 45, each set on purpose. electron-builder knows eight of them, so its own
 * setting is left unused and the hook in electron-builder.mjs sets all of them here.
 */
import { FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire, FuseState } from '@electron/fuses';

export const fuses = {
  // The application must never be a Node for somebody's script.
  RunAsNode: false,
  EnableCookieEncryption: true,
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
 * @param {string} executable
 * @param {Partial<typeof fuses>} otherwise what differs from the shipped setting
 * @param {boolean} resetSignature whether macOS's ad hoc signature is made again, when no real one follows
 */
export async function setFuses(executable, otherwise = {}, resetSignature = false) {
  const config = { version: FuseVersion.V1, strictlyRequireAllFuses: true };
  if (resetSignature) config.resetAdHocDarwinSignature = true;
  for (const [name, on] of Object.entries({ ...fuses, ...otherwise })) config[FuseV1Options[name]] = on;
  await flipFuses(executable, config);
}

/**
 * Reads them back.
 *
 * @param {string} executable
 * @returns {Promise<Record<string, boolean | 'removed' | 'unknown'>>}
 */
export async function readFuses(executable) {
  const { version: _version, ...wire } = await getCurrentFuseWire(executable);
  const words = { [FuseState.ENABLE]: true, [FuseState.DISABLE]: false, [FuseState.REMOVED]: 'removed' };
  return Object.fromEntries(
    Object.entries(wire).map(([index, state]) => [
      FuseV1Options[index] ?? `fuse ${index}`,
      words[state] ?? 'unknown',
    ]),
  );
}
