import {
  decodeKeyCopy,
  deviceMark,
  encodeKeyCopy,
  isAcceptedCost,
  sameWrap,
  unwrapDataKeys,
  wrapDataKeys,
  type KeyCopy,
  type SealedKeys,
  type Wrapping,
} from './sealedKey.ts';
import { forgetDataKeys, type DataKeys } from './seal.ts';
import type { VaultStorage } from './storage.ts';

const copyNames = ['key.a', 'key.b'] as const;
const saltLength = 16;

/**
 * Why no password can be tried. `device-missing`: the vault needs a device secret, and there is none here;
 * `other-device`: there is a different one. `older`: all copies are from before the last change of the password.
 */
export type KeyTrouble = 'damaged' | 'older' | 'cost' | 'device-missing' | 'other-device';

export type KeyOpening =
  | ({
      readonly kind: 'opened';
      readonly keys: DataKeys;
      /** Whether a copy from before the last change of the password lay beside it. */
      readonly older: boolean;
    } & SealedKeys)
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly trouble: KeyTrouble };

export interface VaultKeysOptions extends Wrapping {
  readonly storage: VaultStorage;
  readonly randomBytes: (length: number) => Uint8Array;
}

/**
 * The two copies of one vault's sealed data keys. Each write replaces one whole file, the second after the first: after
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
    const present = await this.#withoutOlder(copies);
    const older = present.length < copies.length;
    const usable = present.filter((copy) => this.#trouble(copy) === null);
    if (usable.length === 0) {
      const [copy] = present;
      const trouble = copy && this.#trouble(copy);
      return { kind: 'unusable', trouble: trouble ?? (older ? 'older' : 'damaged') };
    }
    for (const [index, copy] of usable.entries()) {
      const earlier = usable.slice(0, index);
      if (earlier.some((other) => sameWrap(other, copy))) continue;
      const unwrapped = await unwrapDataKeys(this.#options, copy, password);
      if (!unwrapped) continue;
      // When only the older copy opens, the later one must still stay.
      if (index === 0) await this.#mend(copy, copies);
      await this.#anchor(copy);
      return { kind: 'opened', ...unwrapped, copy, older };
    }
    return { kind: 'wrong-password' };
  }

  /** Seals `keys` with `password` and a new salt, and replaces both copies. The turn is one more than before. */
  async seal(
    keys: DataKeys,
    password: string,
    { identity, turn: before }: Pick<KeyCopy, 'identity' | 'turn'>,
  ): Promise<SealedKeys> {
    const { randomBytes } = this.#options;
    const turn = before + 1;
    const salt = randomBytes(saltLength);
    const sealed = await wrapDataKeys(this.#options, { keys, password, salt, identity, turn });
    await this.replace(sealed.copy);
    return sealed;
  }

  /** Replaces both copies by a later one. */
  async replace(copy: KeyCopy): Promise<void> {
    await this.#write(copy);
    await this.#anchor(copy);
  }

  /** Whether `password` opens `copy`. */
  async matches(copy: KeyCopy, password: string): Promise<boolean> {
    const unwrapped = await unwrapDataKeys(this.#options, copy, password);
    if (unwrapped) forgetDataKeys(unwrapped.keys);
    return unwrapped !== null;
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

  /** Those that are not from before the last known change of the password. A copy of format 1 was never anchored. */
  async #withoutOlder(copies: readonly KeyCopy[]): Promise<readonly KeyCopy[]> {
    const { storage, vaultId } = this.#options;
    const anchored = await Promise.all(copies.map(({ identity }) => storage.anchoredTurn(vaultId, identity)));
    return copies.filter((copy, index) => turnOf(copy) >= (anchored[index] ?? 0));
  }

  /** Where it cannot be written, an older copy is not known. */
  async #anchor(copy: KeyCopy): Promise<void> {
    const { storage, vaultId } = this.#options;
    const { identity } = copy;
    const turn = turnOf(copy);
    if (turn <= (await storage.anchoredTurn(vaultId, identity))) return;
    await storage.anchorTurn(vaultId, identity, turn).catch(() => undefined);
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

/** The turn that the password proves; none before format 2. */
const turnOf = ({ format, turn }: KeyCopy): number => (format === 1 ? 0 : turn);
