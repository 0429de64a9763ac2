import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { DecryptStringAsyncReturnValue, SafeStorage } from 'electron';
import type { SystemStorage } from '../../../../src-main/hosts/desktop/settings/deviceSecret.ts';

/** A key store of one system account: what another account encrypted is refused. */
export class FakeSafeStorage implements SystemStorage {
  readonly #key: Buffer;
  backend: ReturnType<SafeStorage['getSelectedStorageBackend']> = 'gnome_libsecret';
  available = true;
  /** Set where the key store does not answer, or what it answers is nonsense. */
  broken: 'no' | 'rejects' | 'garbles' = 'no';
  stale = false;
  /** Chromium's mark of the key that was used. */
  mark = 'v11';
  encryptions = 0;

  constructor(account = 'ann') {
    this.#key = createHash('sha256').update(account).digest();
  }
  getSelectedStorageBackend(): ReturnType<SafeStorage['getSelectedStorageBackend']> {
    return this.backend;
  }
  async isAsyncEncryptionAvailable(): Promise<boolean> {
    if (this.broken === 'rejects') throw new Error('The key store is locked');
    return this.available;
  }
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    this.encryptions += 1;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from(this.mark, 'latin1'), nonce, cipher.getAuthTag(), sealed]);
  }
  async decryptStringAsync(encrypted: Buffer): Promise<DecryptStringAsyncReturnValue> {
    const cipher = createDecipheriv('aes-256-gcm', this.#key, encrypted.subarray(3, 15));
    cipher.setAuthTag(encrypted.subarray(15, 31));
    const text = Buffer.concat([cipher.update(encrypted.subarray(31)), cipher.final()]).toString('utf8');
    const shouldReEncrypt = this.stale;
    return { result: this.broken === 'garbles' ? text.slice(0, 8) : text, shouldReEncrypt };
  }
}
