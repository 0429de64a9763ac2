import { createHash, randomBytes } from 'node:crypto';

export type Exchange =
  | { readonly admitted: true; readonly cookie: string; readonly proof: string }
  | { readonly admitted: false; readonly reason: 'spent' | 'unknown' };

/**
 * Who may talk to the console.
 *
 *   launch code (once, from a person's hands) -> exchange -> cookie + proof (this process's life)
 *
 * The cookie alone is not enough: browsers send cookies to every port of a host, so any other local
 * server that the operator visits would receive it. The proof is held by pages of this origin only.
 */
export interface Admission {
  /** The cookie's name; holds the instance's id, since two consoles share one cookie jar. */
  readonly cookieName: string;
  /** Makes a code that admits one page, once. `kiosk`: for the browser that this process watches over. */
  issueCode(kiosk?: boolean): string;
  /** Takes a code back that nobody came with. */
  withdraw(code: string): void;
  /** Trades a code. `cookie` is the one the request carried: a further page of the same browser keeps it. */
  exchange(code: string, cookie: string | null): Exchange;
  /** Whether this cookie was given out and this proof belongs to it. */
  admits(cookie: string | null, proof: string | null): boolean;
  /** Whether this cookie was given out, which alone admits no page. */
  knows(cookie: string | null): boolean;
  /** Whether this cookie was given out for a kiosk's code. */
  isKiosk(cookie: string | null): boolean;
}

interface Session {
  readonly proofs: Set<string>;
  readonly kiosk: boolean;
}

/** Codes and sessions remembered at most; the oldest go first. */
const remembered = 1024;

// Only digests are kept and compared, so that no lookup's timing depends on a secret.
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

function forgetOldest(entries: Set<string> | Map<string, unknown>): void {
  while (entries.size > remembered) {
    const oldest = entries.keys().next();
    if (oldest.done) return;
    entries.delete(oldest.value);
  }
}

export function createAdmission(): Admission {
  const secret = (): string => randomBytes(32).toString('base64url');
  const cookieName = `field-console-${randomBytes(8).toString('hex')}`;
  const outstanding = new Map<string, { readonly kiosk: boolean }>();
  const spent = new Set<string>();
  const sessions = new Map<string, Session>();

  return {
    cookieName,
    issueCode: (kiosk = false) => {
      const code = secret();
      outstanding.set(digest(code), { kiosk });
      forgetOldest(outstanding);
      return code;
    },
    withdraw: (code) => {
      const key = digest(code);
      if (!outstanding.delete(key)) return;
      spent.add(key);
      forgetOldest(spent);
    },
    exchange: (code, cookie) => {
      const key = digest(code);
      const issued = outstanding.get(key);
      if (!issued) return { admitted: false, reason: spent.has(key) ? 'spent' : 'unknown' };
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
