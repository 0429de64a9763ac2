import { createHash, timingSafeEqual } from 'node:crypto';

const uploadAccount = 'upload-service';

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron'] as const;

/** The one training account and its tokens. Everything secret is made at start and never written. */
export class Accounts {
  /** May be replaced, as by an administrator; granted tokens stay valid. */
  credentials: { readonly username: string; readonly password: string };
  readonly #bytes: (length: number) => Uint8Array;
  /** Of the service that may upload and do nothing else (interface: Authentication, 7). */
  readonly uploadToken: string;
  /** Token to expiry, Unix milliseconds without the service's clock offset. */
  readonly tokens = new Map<string, number>();

  /** `bytes`: so many from a cryptographic source. */
  constructor(bytes: (length: number) => Uint8Array) {
    this.#bytes = bytes;
    const [word = 0, high = 0, low = 0] = bytes(3);
    this.credentials = {
      username: `trainee-${words[word % words.length] ?? words[0]}-${1000 + (((high << 8) | low) % 9000)}`,
      password: readable(bytes(15)),
    };
    this.uploadToken = `up-${Buffer.from(bytes(24)).toString('base64url')}`;
  }

  /** Compared as digests, so that the time taken tells nothing about how much of it was right. */
  accepts(username: string, password: string): boolean {
    const name = same(username, this.credentials.username);
    return same(password, this.credentials.password) && name;
  }

  issue(expiresAt: number, now: number): string {
    for (const [token, expiry] of this.tokens) if (expiry <= now) this.tokens.delete(token);
    const token = Buffer.from(this.#bytes(32)).toString('base64url');
    this.tokens.set(token, expiresAt);
    return token;
  }

  /** The account that may use `token` for `access`; null when none may. The upload token has a separate account. */
  holderOf(token: string, access: 'bearer' | 'upload', now: number): string | null {
    if (access === 'upload' && same(token, this.uploadToken)) return uploadAccount;
    return (this.tokens.get(token) ?? -Infinity) > now ? this.credentials.username : null;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** 5 bits a letter, without those that are mistaken for others when read from a screen and typed. */
export function readable(bytes: Uint8Array): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789x';
  const text = Array.from(bytes, (byte) => letters[byte & 31] ?? 'x').join('');
  return text.match(/.{5}/g)?.join('-') ?? text;
}
