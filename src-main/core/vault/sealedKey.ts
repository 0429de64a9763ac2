import { createHash, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import type { PasswordCost, PasswordHasher } from '../base/ports.ts';
import { keyBytes, sealBytes, unsealBytes, type DataKeys } from './seal.ts';

const base64 = z.string().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

const saltBytes = 16;
/** Nonce and tag. */
const wrapBytes = 12 + 16;

/**
 * One copy of the sealed data keys. It has all that opening needs except the password, so that a vault opens without
 * its header. Of two copies that differ, the one with the higher `turn` is later.
 */
const keyCopySchema = z.strictObject({
  /** Format 1, of version 0.2, has one key, and does not bind the turn. */
  format: z.literal([1, 2]),
  identity: z.string().regex(/^[0-9a-f]{32}$/),
  turn: z.int().min(1),
  N: z.int(),
  r: z.int(),
  p: z.int(),
  salt: base64.refine(({ byteLength }) => byteLength === saltBytes),
  /** The mark of the device secret that is needed beside the password; false when none is needed. */
  device: z.union([z.literal(false), z.string().regex(/^[0-9a-f]{16}$/)]),
  wrap: base64.refine(
    ({ byteLength }) => byteLength > wrapBytes && (byteLength - wrapBytes) % keyBytes === 0,
  ),
});
export type KeyCopy = z.infer<typeof keyCopySchema>;

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex');

export function encodeKeyCopy(copy: KeyCopy): Uint8Array {
  const text = JSON.stringify({
    ...copy,
    salt: Buffer.from(copy.salt).toString('base64'),
    wrap: Buffer.from(copy.wrap).toString('base64'),
  });
  return new TextEncoder().encode(`${text}\n${checksum(text)}\n`);
}

/** The copy, or null when it is damaged: the checksum distinguishes damage from a wrong password. */
export function decodeKeyCopy(bytes: Uint8Array): KeyCopy | null {
  const [text = '', sum] = Buffer.from(bytes).toString('utf8').split('\n');
  if (sum !== checksum(text)) return null;
  try {
    return keyCopySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const least = 2 ** 17;
const most = 2 ** 20;
const isPowerOfTwo = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;

/**
 * Whether stored cost parameters are accepted: the usual ones, or exactly those of the hasher. Lower ones would make
 * guessing fast; higher ones would block the console.
 */
export function isAcceptedCost(cost: PasswordCost, own: PasswordCost): boolean {
  if (cost.N === own.N && cost.r === own.r && cost.p === own.p) return true;
  return cost.r === 8 && cost.p === 1 && cost.N >= least && cost.N <= most && isPowerOfTwo(cost.N);
}

export interface Wrapping {
  readonly hasher: PasswordHasher;
  /** From the system's key store; null where there is none. */
  readonly deviceSecret: Uint8Array | null;
  /** The vault's name, to which the sealed key is bound. */
  readonly vaultId: string;
}

/** Distinguishes device secrets without revealing anything about them. */
export const deviceMark = (secret: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', secret, new Uint8Array(0), 'field-console device mark v1', 8)).toString(
    'hex',
  );

const bound = (vaultId: string, copy: Omit<KeyCopy, 'wrap'>): Uint8Array =>
  Buffer.from(
    JSON.stringify([
      'field-console key',
      copy.format,
      vaultId,
      copy.identity,
      [copy.N, copy.r, copy.p],
      Buffer.from(copy.salt).toString('base64'),
      copy.device,
      ...(copy.format === 1 ? [] : [copy.turn]),
    ]),
  );

async function wrapKeyOf(
  wrapping: Wrapping,
  copy: Omit<KeyCopy, 'wrap'>,
  password: string,
): Promise<Uint8Array> {
  const { hasher, deviceSecret } = wrapping;
  const cost = { N: copy.N, r: copy.r, p: copy.p };
  const stretched = await hasher.derive(password, copy.salt, keyBytes, cost);
  const withDevice = copy.device !== false;
  const secret = withDevice ? (deviceSecret ?? new Uint8Array(0)) : new Uint8Array(0);
  const material = Buffer.concat([stretched, secret]);
  const purpose = withDevice
    ? 'field-console wrap v1, password and device'
    : 'field-console wrap v1, password';
  const key = new Uint8Array(hkdfSync('sha256', material, copy.salt, purpose, keyBytes));
  stretched.fill(0);
  material.fill(0);
  return key;
}

/** The keys of a vault, sealed with its password. */
export interface SealedKeys {
  readonly copy: KeyCopy;
  /**
   * The copy for when nothing is sealed with an older key any longer, with the newest one only; null where there is only
   * one. It is made with the other, since the password is at hand then.
   */
  readonly settled: KeyCopy | null;
}

/** Seals `keys` with the password and `salt`, bound to the turn. */
export async function wrapDataKeys(
  wrapping: Wrapping,
  options: {
    readonly keys: DataKeys;
    readonly password: string;
    readonly salt: Uint8Array;
    readonly identity: string;
    readonly turn: number;
  },
): Promise<SealedKeys> {
  const { hasher, deviceSecret, vaultId } = wrapping;
  const { keys, identity, turn } = options;
  const open = {
    format: 2 as const,
    identity,
    turn,
    N: hasher.cost.N,
    r: hasher.cost.r,
    p: hasher.cost.p,
    salt: new Uint8Array(options.salt),
    device: deviceSecret !== null && deviceMark(deviceSecret),
  };
  const key = await wrapKeyOf(wrapping, open, options.password);
  const copy = wrapped(key, vaultId, open, keys);
  const settled = settledOf(key, vaultId, copy, keys);
  key.fill(0);
  return { copy, settled };
}

/** The keys, or null when the password, the computer or the account is wrong. */
export async function unwrapDataKeys(
  wrapping: Wrapping,
  copy: KeyCopy,
  password: string,
): Promise<{ readonly keys: DataKeys; readonly settled: KeyCopy | null } | null> {
  const { vaultId } = wrapping;
  const key = await wrapKeyOf(wrapping, copy, password);
  const bytes = unsealBytes(key, copy.wrap, bound(vaultId, copy));
  const keys = bytes && dataKeysOf(bytes);
  const settled = keys && settledOf(key, vaultId, copy, keys);
  key.fill(0);
  return keys && { keys, settled };
}

function wrapped(
  key: Uint8Array,
  vaultId: string,
  open: Omit<KeyCopy, 'wrap'>,
  { root, ring }: DataKeys,
): KeyCopy {
  const bytes = Buffer.concat([root, ...ring]);
  const wrap = new Uint8Array(sealBytes(key, bytes, bound(vaultId, open)));
  bytes.fill(0);
  return { ...open, wrap };
}

function settledOf(key: Uint8Array, vaultId: string, copy: KeyCopy, keys: DataKeys): KeyCopy | null {
  const { root, ring } = keys;
  if (ring.length === 1) return null;
  const { wrap: _wrap, turn, ...open } = copy;
  return wrapped(key, vaultId, { ...open, turn: turn + 1 }, { root, ring: [ring[0]] });
}

function dataKeysOf(bytes: Buffer): DataKeys | null {
  const [first, ...others] = Array.from(
    { length: bytes.byteLength / keyBytes },
    (_, index) => new Uint8Array(bytes.subarray(index * keyBytes, (index + 1) * keyBytes)),
  );
  bytes.fill(0);
  if (first === undefined) return null;
  const [newest = new Uint8Array(first), ...older] = others;
  return { root: first, ring: [newest, ...older] };
}

export const sameWrap = (a: KeyCopy, b: KeyCopy): boolean => Buffer.compare(a.wrap, b.wrap) === 0;
