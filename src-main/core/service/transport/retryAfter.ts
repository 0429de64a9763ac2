import { readHttpDate } from '../../base/serverTime.ts';

/** The longest wait that is accepted: a service that asks for hours is faulty, or another server. */
const believedMs = 10 * 60_000;

/**
 * The wait in `Retry-After`, in milliseconds (RFC 9110: seconds, or an HTTP date, which is read in server time), at
 * most 10 minutes; null when it is missing or malformed.
 */
export function readRetryAfter(header: string | undefined, serverNow: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1_000, believedMs);
  const date = readHttpDate(text);
  return date === null ? null : Math.min(Math.max(0, date - serverNow), believedMs);
}
