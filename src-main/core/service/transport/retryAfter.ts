import { readHttpDate } from '../../base/serverTime.ts';

/** A service that asks for hours has a fault or is not the service: no more than this is believed. */
const believedMs = 10 * 60_000;

/**
 * Milliseconds that `Retry-After` asks to wait (RFC 9110: seconds, or an HTTP date, which is read in
 * server time), at most 10 minutes; null when it is missing or malformed.
 */
export function readRetryAfter(header: string | undefined, serverNow: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1_000, believedMs);
  const date = readHttpDate(text);
  return date === null ? null : Math.min(Math.max(0, date - serverNow), believedMs);
}
