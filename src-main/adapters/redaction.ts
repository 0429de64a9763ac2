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

/** As spelt in pino's own redaction, which runs behind this one and sees what would slip past it. */
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
 * Masks secrets that stand inside a text: authorization schemes, JWTs, and userinfo in URLs.
 *
 * The service's words come through here, so every repetition is bounded: on a megabyte of one letter
 * an unbounded scheme is tried from every place to the end, which holds the console for minutes. What
 * is looked at is far longer than what is kept, so that no secret in the kept part loses the end by
 * which it is recognised.
 */
export function scrubText(text: string): string {
  const scrubbed = text
    .slice(0, longestLookedAt)
    .replace(/\b(bearer|basic)\s{1,64}[^\s"',;]+/gi, `$1 ${redacted}`)
    .replace(/\beyJ[\w-]{1,4096}\.[\w-]{1,4096}\.[\w-]*/g, redacted)
    .replace(/([a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#]*@/gi, `$1${redacted}@`);
  return scrubbed.length > longestValue ? `${scrubbed.slice(0, longestValue)}…` : scrubbed;
}

/** Fields as they may be logged: secret names masked, texts scrubbed. */
export function scrubFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (secretNames.has(name.toLowerCase().replace(/[^a-z]/g, ''))) return [name, redacted];
      return [name, typeof value === 'string' ? scrubText(value) : value];
    }),
  );
}
