import { z } from 'zod';

/** The characters of a header value: a token with others could not be sent, or would add a header. */
const tokenText = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/);

/** The last second that a JavaScript date can have. */
const lastSecond = 8.64e12;
const unixSeconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,13}(?:\.\d{1,9})?$/)
      .transform(Number),
  ])
  .pipe(z.number().positive().max(lastSecond));

const loginAnswer = z.object({ token: tokenText, expires_at: unixSeconds });

/**
 * Reads LoginResponse tolerantly: ignores other fields, and accepts a number written as text. Null when the token or
 * `expires_at` is missing or unusable: a token without a known end is not used, since the expiry must not be read from
 * the token itself (interface: Authentication, 3).
 */
export function readLoginAnswer(body: unknown): { token: string; expiresAt: number } | null {
  const read = loginAnswer.safeParse(body);
  if (!read.success) return null;
  return { token: read.data.token, expiresAt: Math.floor(read.data.expires_at * 1_000) };
}
