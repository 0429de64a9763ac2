import { createHash, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import type { PasswordCost, PasswordHasher } from '../base/ports.ts';
import { sealBytes, unsealBytes } from './seal.ts';

const base64 = (bytes: number) =>
  z
    .string()
    .max(512)
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
    .refine((value) => value.byteLength === bytes);

const keyBytes = 32;
const saltBytes = 16;
/** Nonce, key and tag. */
const wrapBytes = 12 + keyBytes + 16;

/**
 * One copy of the sealed data key. It has all that opening needs except the password, so that a vault opens without its
 * header. Of two copies that differ, the one with the higher `turn` is later.
 */
const keyCopySchema = z.strictObject({
  /** Format 1, of version 0.2, does not bind the turn. */
  format: z.literal([1, 2]),
  identity: z.string().regex(/^[0-9a-f]{32}$/),
  turn: z.int().min(1),
  N: z.int(),
  r: z.int(),
  p: z.int(),
  salt: base64(saltBytes),
  /** The mark of the device secret that is needed beside the password; false when none is needed. */
  device: z.union([z.literal(false), z.string().regex(/^[0-9a-f]{16}$/)]),
  wrap: base64(wrapBytes),
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

/** Seals `dataKey` with the password and `salt`, bound to the turn. */
export async function wrapDataKey(
  wrapping: Wrapping,
  options: {
    readonly dataKey: Uint8Array;
    readonly password: string;
    readonly salt: Uint8Array;
    readonly identity: string;
    readonly turn: number;
  },
): Promise<KeyCopy> {
  const { hasher, deviceSecret, vaultId } = wrapping;
  const { identity, turn } = options;
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
  const wrap = new Uint8Array(sealBytes(key, options.dataKey, bound(vaultId, open)));
  key.fill(0);
  return { ...open, wrap };
}

/** The data key, or null when the password, the computer or the account is wrong. */
export async function unwrapDataKey(
  wrapping: Wrapping,
  copy: KeyCopy,
  password: string,
): Promise<Uint8Array | null> {
  const key = await wrapKeyOf(wrapping, copy, password);
  const dataKey = unsealBytes(key, copy.wrap, bound(wrapping.vaultId, copy));
  key.fill(0);
  return dataKey && new Uint8Array(dataKey);
}

export const sameWrap = (a: KeyCopy, b: KeyCopy): boolean => Buffer.compare(a.wrap, b.wrap) === 0;
