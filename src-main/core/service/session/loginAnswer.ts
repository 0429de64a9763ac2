import { z } from 'zod';

/** The characters of a header value: a token with others could not be sent, or would add a header. */
const tokenText = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);

const positive = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,21}(?:\.\d{1,9})?$/)
      .transform(Number),
  ])
  .pipe(z.number().positive());

const loginAnswer = z.object({ token: tokenText, expires_at: positive });

/** The end of the year 9999, Unix milliseconds: some services write it for "never". */
const lastEnd = 253_402_300_799_999;
/** How long ago a token may have expired whose `expires_at` is not in seconds, milliseconds. */
const mostExpiredMs = 86_400_000;

/**
 * `expires_at` as Unix milliseconds: in seconds, as specified, up to the end of the year 9999. A larger number is in
 * milliseconds, microseconds or nanoseconds, the first of these that ends by then. It is refused (null) when that time
 * is over a day before `now`, or when no unit fits.
 */
function endOf(expiresAt: number, now: number): number | null {
  const asSeconds = Math.floor(expiresAt * 1_000);
  if (asSeconds <= lastEnd) return asSeconds;
  for (const perMillisecond of [1, 1e3, 1e6]) {
    const at = Math.floor(expiresAt / perMillisecond);
    if (at <= lastEnd) return at >= now - mostExpiredMs ? at : null;
  }
  return null;
}

/** The token in an answer, whatever else is in it; null when there is none. */
export function readToken(body: unknown): string | null {
  const read = loginAnswer.pick({ token: true }).safeParse(body);
  return read.success ? read.data.token : null;
}

/**
 * Reads LoginResponse tolerantly: ignores other fields, and accepts a number written as text. Null when the token or
 * `expires_at` is missing or unusable: a token without a known end is not used, since the expiry must not be read from
 * the token itself (interface: Authentication, 3).
 *
 * @param now the service's time, Unix milliseconds
 */
export function readLoginAnswer(body: unknown, now: number): { token: string; expiresAt: number } | null {
  const read = loginAnswer.safeParse(body);
  if (!read.success) return null;
  const expiresAt = endOf(read.data.expires_at, now);
  return expiresAt === null ? null : { token: read.data.token, expiresAt };
}
