import { createHash, randomBytes } from 'node:crypto';

export type Exchange =
  | { readonly admitted: true; readonly cookie: string; readonly proof: string }
  | { readonly admitted: false; readonly reason: 'spent' | 'expired' | 'unknown' };

/**
 * Decides which pages may talk to the console.
 *
 *   launch code (once, from a person's hands) -> exchange -> cookie + proof (this process's life)
 *
 * The cookie alone is not enough: browsers send cookies to every port of a host, so any other local server that the
 * operator visits would receive it. Only pages of this origin have the proof.
 */
export interface Admission {
  /**
   * The cookie's name, which depends on the data folder: two consoles share one cookie jar, and a restarted console
   * replaces its own cookie. With a new name for each start a browser would collect cookies until its header is too
   * long to read.
   */
  readonly cookieName: string;
  /** Makes a code that admits one page, once. `kiosk`: for the browser that this process supervises. */
  issueCode(kiosk?: boolean): string;
  /** Ends a code that was not used in time. */
  expire(code: string): void;
  /** Exchanges a code. `cookie` is the request's: another page of the same browser keeps it. */
  exchange(code: string, cookie: string | null): Exchange;
  /** Whether this console issued the cookie, and the proof belongs to it. */
  admits(cookie: string | null, proof: string | null): boolean;
  /** Whether this console issued the cookie, which alone admits no page. */
  knows(cookie: string | null): boolean;
  /** Whether the cookie was issued for a kiosk's code. */
  isKiosk(cookie: string | null): boolean;
}

interface Session {
  readonly proofs: Set<string>;
  readonly kiosk: boolean;
}

/** The most codes and sessions in memory; the oldest are dropped first. */
const remembered = 1024;

// Stores and compares only digests, so that no lookup's timing depends on a secret.
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

function forgetOldest(entries: Set<string> | Map<string, unknown>): void {
  while (entries.size > remembered) {
    const oldest = entries.keys().next();
    if (oldest.done) return;
    entries.delete(oldest.value);
  }
}

/** @param dataDir the data folder of this console */
export function createAdmission(dataDir: string): Admission {
  const secret = (): string => randomBytes(32).toString('base64url');
  const cookieName = `field-console-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const outstanding = new Map<string, { readonly kiosk: boolean }>();
  const spent = new Set<string>();
  const expired = new Set<string>();
  const sessions = new Map<string, Session>();

  return {
    cookieName,
    issueCode: (kiosk = false) => {
      const code = secret();
      outstanding.set(digest(code), { kiosk });
      forgetOldest(outstanding);
      return code;
    },
    expire: (code) => {
      const key = digest(code);
      if (!outstanding.delete(key)) return;
      expired.add(key);
      forgetOldest(expired);
    },
    exchange: (code, cookie) => {
      const key = digest(code);
      const issued = outstanding.get(key);
      if (!issued) {
        const reason = spent.has(key) ? 'spent' : expired.has(key) ? 'expired' : 'unknown';
        return { admitted: false, reason };
      }
      outstanding.delete(key);
      spent.add(key);
      forgetOldest(spent);
      const known = cookie === null ? undefined : sessions.get(digest(cookie));
      const kept = known && cookie !== null ? cookie : secret();
      const session = known ?? { proofs: new Set<string>(), kiosk: issued.kiosk };
      const proof = secret();
      session.proofs.add(digest(proof));
      forgetOldest(session.proofs);
      sessions.set(digest(kept), session);
      forgetOldest(sessions);
      return { admitted: true, cookie: kept, proof };
    },
    admits: (cookie, proof) => {
      if (cookie === null || proof === null) return false;
      return sessions.get(digest(cookie))?.proofs.has(digest(proof)) ?? false;
    },
    knows: (cookie) => cookie !== null && sessions.has(digest(cookie)),
    isKiosk: (cookie) => cookie !== null && sessions.get(digest(cookie))?.kiosk === true,
  };
}
