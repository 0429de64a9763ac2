import type { Failure } from '../../../src-preload/contract/index.ts';
import type { DeviceSecretReading } from '../base/ports.ts';

/** Why a vault that needs the key store is neither opened nor created, by the key store's answer. */
export const shutTrouble = { waiting: 'key-store-waiting', closed: 'key-store-closed' } as const;
export type ShutTrouble = (typeof shutTrouble)[keyof typeof shutTrouble];

/** Whether the key store may have a secret that was not read yet. */
export const isShut = (
  reading: DeviceSecretReading,
): reading is DeviceSecretReading & { kind: 'waiting' | 'closed' } =>
  reading.kind === 'waiting' || reading.kind === 'closed';

/** Whether a failure says that the key store has not opened. */
export const saysKeyStoreShut = ({ sentence }: Failure): boolean =>
  'id' in sentence &&
  Object.values(shutTrouble).some((trouble) => sentence.id === `vault.${trouble}.sentence`);
