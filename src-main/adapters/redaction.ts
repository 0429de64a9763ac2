import type { LogFields } from '../core/base/ports.ts';

const redacted = '[redacted]';
const longestValue = 2_048;
const longestLookedAt = 16_384;

/** Field names whose value is never logged, compared in lower case without punctuation. */
const secretNames = new Set([
  'password',
  'passphrase',
  'secret',
  'token',
  'accesstoken',
  'bearer',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'credential',
  'credentials',
  'launchcode',
  'proof',
  'datakey',
]);

/** The same names for pino's own redaction, which runs after this one as a second check. */
export const redactedPaths = [
  'password',
  'secret',
  'token',
  'authorization',
  'Authorization',
  'cookie',
  'credential',
  'credentials',
  'proof',
];

/**
 * Masks secrets inside a text: authorization schemes, JWTs, and userinfo in URLs.
 *
 * The service's texts come through here, so every repetition in the patterns is limited: on a megabyte of one letter an
 * unlimited pattern would be tried from every position to the end, which blocks the console for minutes. The scanned
 * part is far longer than the stored part, so that no secret in the stored part is cut before the end that identifies
 * it.
 */
export function scrubText(text: string): string {
  const scrubbed = text
    .slice(0, longestLookedAt)
    .replace(/\b(bearer|basic)\s{1,64}[^\s"',;]+/gi, `$1 ${redacted}`)
    .replace(/\beyJ[\w-]{1,4096}\.[\w-]{1,4096}\.[\w-]*/g, redacted)
    .replace(/([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#]*@/gi, `$1${redacted}@`);
  return scrubbed.length > longestValue ? `${scrubbed.slice(0, longestValue)}…` : scrubbed;
}

/** Fields in a form for the log: secret names masked, texts scrubbed. */
export function scrubFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (secretNames.has(name.toLowerCase().replace(/[^a-z]/g, ''))) return [name, redacted];
      return [name, typeof value === 'string' ? scrubText(value) : value];
    }),
  );
}
