import type { DecryptStringAsyncReturnValue, SafeStorage } from 'electron';
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemStorage } from '../../../../src-main/hosts/desktop/settings/deviceSecret.ts';

/**
 * A key store of one system account: what another account encrypted is refused. The key belongs to the
 * application's name at the first use (fact 21), or on Windows to `Local State` in the profile folder.
 */
export class FakeSafeStorage implements SystemStorage {
  readonly #account: string;
  readonly #name: () => string;
  #taken: Buffer | null = null;
  /** Chromium's profile folder, where the system is Windows. */
  windowsProfile: string | null = null;
  /** What another key makes of a text: Linux's encryption proves nothing, and may give garbage. */
  wrongKey: 'rejects' | 'garbage' = 'rejects';
  backend: ReturnType<SafeStorage['getSelectedStorageBackend']> = 'gnome_libsecret';
  /** Set where the key store does not answer, or what it answers is nonsense. */
  broken: 'no' | 'rejects' | 'garbles' = 'no';
  stale = false;
  /** Chromium's mark of the key that was used. */
  mark = 'v11';
  encryptions = 0;

  /** The system whose prompt was dismissed: the key stays away until the process ends, also once it is unlocked (fact 22). */
  #dismissed: 'linux' | 'darwin' | null = null;

  unlock: () => void = () => undefined;
  readonly #unlocked: Promise<void>;

  /** `answers` false: its calls wait until `unlock` (fact 22). */
  constructor(account = 'ann', name = () => 'Field Console', answers = true) {
    this.#account = account;
    this.#name = name;
    this.#unlocked = answers ? Promise.resolve() : new Promise((resolve) => (this.unlock = resolve));
  }
  get #key(): Buffer {
    this.#taken ??= createHash('sha256').update(`${this.#account} ${this.#entry()}`).digest();
    return this.#taken;
  }
  #entry(): string {
    if (this.windowsProfile === null) return `${this.#name()} Safe Storage`;
    const localState = join(this.windowsProfile, 'Local State');
    if (!existsSync(localState)) {
      mkdirSync(this.windowsProfile, { recursive: true });
      writeFileSync(localState, randomBytes(32).toString('hex'));
    }
    return readFileSync(localState, 'utf8');
  }
  getSelectedStorageBackend(): ReturnType<SafeStorage['getSelectedStorageBackend']> {
    return this.backend;
  }
  dismiss(platform: 'linux' | 'darwin'): void {
    this.#dismissed = platform;
    this.unlock();
  }
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    await this.#unlocked;
    this.encryptions += 1;
    if (this.#dismissed === 'darwin' || this.broken === 'rejects')
      throw new Error('Error while encrypting the text provided to safeStorage.encryptStringAsync.');
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
    return Buffer.concat([
      Buffer.from(this.#dismissed === 'linux' ? 'v10' : this.mark, 'latin1'),
      nonce,
      cipher.getAuthTag(),
      sealed,
    ]);
  }
  async decryptStringAsync(encrypted: Buffer): Promise<DecryptStringAsyncReturnValue> {
    await this.#unlocked;
    if (this.#dismissed === 'darwin')
      throw new Error('Encryption is temporarily unavailable. Please try again.');
    if (this.#dismissed === 'linux') throw new Error('Error while decrypting the ciphertext.');
    const cipher = createDecipheriv('aes-256-gcm', this.#key, encrypted.subarray(3, 15));
    cipher.setAuthTag(encrypted.subarray(15, 31));
    let text: string;
    try {
      text = Buffer.concat([cipher.update(encrypted.subarray(31)), cipher.final()]).toString('utf8');
    } catch (error) {
      if (this.wrongKey === 'rejects') throw error;
      // As many bytes as the secret has, in base64 that nobody wrote.
      return { result: ` ${randomBytes(32).toString('base64')}`, shouldReEncrypt: false };
    }
    const shouldReEncrypt = this.stale;
    return { result: this.broken === 'garbles' ? text.slice(0, 8) : text, shouldReEncrypt };
  }
}
