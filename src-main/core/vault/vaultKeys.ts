import {
  decodeKeyCopy,
  deviceMark,
  encodeKeyCopy,
  isAcceptedCost,
  sameWrap,
  unwrapDataKey,
  wrapDataKey,
  type KeyCopy,
  type Wrapping,
} from './sealedKey.ts';
import type { VaultStorage } from './storage.ts';

const copyNames = ['key.a', 'key.b'] as const;
const saltLength = 16;

/**
 * Why no password can be tried. `device-missing`: the vault needs a device secret, and there is none here;
 * `other-device`: there is a different one.
 */
export type KeyTrouble = 'damaged' | 'cost' | 'device-missing' | 'other-device';

export type KeyOpening =
  | { readonly kind: 'opened'; readonly dataKey: Uint8Array; readonly copy: KeyCopy }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly trouble: KeyTrouble };

export interface VaultKeysOptions extends Wrapping {
  readonly storage: VaultStorage;
  readonly randomBytes: (length: number) => Uint8Array;
}

/**
 * The two copies of one vault's sealed data key. Each write replaces one whole file, the second after the first: after
 * a power cut at least one copy opens, with the old password or the new one.
 */
export class VaultKeys {
  readonly #options: VaultKeysOptions;

  constructor(options: VaultKeysOptions) {
    this.#options = options;
  }

  /** Whether there is a copy, readable or not. */
  async exist(): Promise<boolean> {
    return (await this.#read()).found > 0;
  }

  /** Whether a copy needs a device secret. */
  async needDevice(): Promise<boolean> {
    const { copies } = await this.#read();
    return copies.some(({ device }) => device !== false);
  }

  /** Tries `password` on the copies, the later first, and repairs one that is out of date. */
  async open(password: string): Promise<KeyOpening> {
    const { copies, found } = await this.#read();
    if (found === 0) return { kind: 'none' };
    const usable = copies.filter((copy) => this.#trouble(copy) === null);
    if (usable.length === 0) {
      const [copy] = copies;
      return { kind: 'unusable', trouble: (copy && this.#trouble(copy)) ?? 'damaged' };
    }
    for (const [index, copy] of usable.entries()) {
      const earlier = usable.slice(0, index);
      if (earlier.some((other) => sameWrap(other, copy))) continue;
      const dataKey = await unwrapDataKey(this.#options, copy, password);
      if (!dataKey) continue;
      // When only the older copy opens, the later one must still stay.
      if (index === 0) await this.#mend(copy, copies);
      return { kind: 'opened', dataKey, copy };
    }
    return { kind: 'wrong-password' };
  }

  /** Seals `dataKey` with `password` and a new salt, and replaces both copies. */
  async seal(dataKey: Uint8Array, password: string, identity: string): Promise<KeyCopy> {
    const { randomBytes } = this.#options;
    const { copies } = await this.#read();
    const turn = Math.max(0, ...copies.map((copy) => copy.turn)) + 1;
    const salt = randomBytes(saltLength);
    const copy = await wrapDataKey(this.#options, { dataKey, password, salt, identity, turn });
    await this.#write(copy);
    return copy;
  }

  /** Whether `password` opens `copy`. */
  async matches(copy: KeyCopy, password: string): Promise<boolean> {
    const dataKey = await unwrapDataKey(this.#options, copy, password);
    dataKey?.fill(0);
    return dataKey !== null;
  }

  #trouble(copy: KeyCopy): KeyTrouble | null {
    const { hasher, deviceSecret } = this.#options;
    if (!isAcceptedCost(copy, hasher.cost)) return 'cost';
    if (copy.device === false) return null;
    if (deviceSecret === null) return 'device-missing';
    return deviceMark(deviceSecret) === copy.device ? null : 'other-device';
  }

  /** The readable copies, the later first, and how many files there are. */
  async #read(): Promise<{ copies: readonly KeyCopy[]; found: number }> {
    const { storage, vaultId } = this.#options;
    const files = await Promise.all(copyNames.map((name) => storage.read(vaultId, name)));
    const present = files.filter((file) => file !== null);
    const copies = present.map(decodeKeyCopy).filter((copy) => copy !== null);
    return { copies: copies.sort((a, b) => b.turn - a.turn), found: present.length };
  }

  async #mend(copy: KeyCopy, copies: readonly KeyCopy[]): Promise<void> {
    const whole = copies.filter((other) => sameWrap(other, copy)).length === copyNames.length;
    if (!whole) await this.#write(copy).catch(() => undefined);
  }

  async #write(copy: KeyCopy): Promise<void> {
    const { storage, vaultId } = this.#options;
    const bytes = encodeKeyCopy(copy);
    for (const name of copyNames) await storage.write(vaultId, name, bytes);
  }
}
