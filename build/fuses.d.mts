export type FuseName =
  | 'RunAsNode'
  | 'EnableCookieEncryption'
  | 'EnableNodeOptionsEnvironmentVariable'
  | 'EnableNodeCliInspectArguments'
  | 'EnableEmbeddedAsarIntegrityValidation'
  | 'OnlyLoadAppFromAsar'
  | 'LoadBrowserProcessSpecificV8Snapshot'
  | 'GrantFileProtocolExtraPrivileges'
  | 'WasmTrapHandlers';
export const fuses: Readonly<Record<FuseName, boolean>>;
export function setFuses(
  executable: string,
  otherwise?: Partial<Record<FuseName, boolean>>,
  resetSignature?: boolean,
): Promise<void>;
export function readFuses(executable: string): Promise<Record<string, boolean | 'removed' | 'unknown'>>;
