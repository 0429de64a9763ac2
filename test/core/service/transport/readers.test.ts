import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { readHeaderCursor } from '../../../../src-main/core/service/api/headerCursor.ts';
import { readLoginAnswer } from '../../../../src-main/core/service/session/loginAnswer.ts';
import { smallAnswer } from '../../../../src-main/core/service/transport/answerBounds.ts';
import {
  connectionAtStart,
  trackConnection,
  type ConnectionTrack,
} from '../../../../src-main/core/service/transport/connection.ts';
import { readWords } from '../../../../src-main/core/service/transport/messages.ts';
import { createRetryBudget } from '../../../../src-main/core/service/transport/retry.ts';
import { readRetryAfter } from '../../../../src-main/core/service/transport/retryAfter.ts';
import { wireFailure } from '../../../../src-main/core/service/transport/wireFailure.ts';
import { apiConnectionSchema, failureCodes, failureSchema } from '../../../../src-preload/contract/index.ts';
import { codePoint } from '../../../support/codePoints.ts';
import { said } from '../../../support/messages.ts';

const now = Date.UTC(2026, 10, 27);

describe('readers take anything', () => {
  it('the login answer: nothing, or a token a header can carry and a time', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.record({ token: fc.anything(), expires_at: fc.anything() })),
        (body) => {
          const read = readLoginAnswer(body, now);
          if (read === null) return;
          expect(read.token).toMatch(/^[\x21-\x7e]{1,16384}$/);
          expect(Number.isSafeInteger(read.expiresAt)).toBe(true);
          expect(Number.isNaN(new Date(read.expiresAt).getTime())).toBe(false);
        },
      ),
    );
  });

  it('the login answer: every usable one is read', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[\x21-\x7e]{1,200}$/),
        fc.integer({ min: 1, max: 8_000_000_000 }),
        fc.boolean(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (token, seconds, asText, more) => {
          const body = { ...more, token, expires_at: asText ? String(seconds) : seconds };
          expect(readLoginAnswer(body, now)).toEqual({ token, expiresAt: seconds * 1_000 });
        },
      ),
    );
  });

  it.each([
    ['seconds', 1],
    ['milliseconds', 1e3],
    ['microseconds', 1e6],
    ['nanoseconds', 1e9],
  ])('the login answer: its end in %s, from a day ago to the year 9999', (_, perSecond) => {
    const last = Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000;
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: now / 1_000 - 86_400, max: now / 1_000 + 86_400 }), fc.constant(last)),
        fc.boolean(),
        (seconds, asText) => {
          const written = BigInt(seconds) * BigInt(perSecond);
          const body = { token: 't', expires_at: asText ? String(written) : Number(written) };
          expect(readLoginAnswer(body, now)?.expiresAt).toBe(seconds * 1_000);
        },
      ),
    );
  });

  it.each([
    ['milliseconds of two days ago', now - 2 * 86_400_000],
    ['microseconds of two days ago', (now - 2 * 86_400_000) * 1e3],
    ['seconds of the year 10,000', 253_402_300_800],
    ['more than nanoseconds', 9e21],
    ['zero', 0],
    ['a negative number', -1],
    ['a date', '2026-11-27T12:00:00Z'],
  ])('the login answer: refused with an end of %s', (_, expiresAt) => {
    expect(readLoginAnswer({ token: 't', expires_at: expiresAt }, now)).toBeNull();
  });

  it('the login answer: an end in seconds that has passed, as the service says', () => {
    const read = readLoginAnswer({ token: 't', expires_at: 1_000_000_000 }, now);
    expect(read).toEqual({ token: 't', expiresAt: 1_000_000_000_000 });
  });

  it('the error envelope: nothing, or one short line', () => {
    const key = fc.constantFrom('error', 'message', 'detail', '__proto__');
    const text = fc.string({ unit: codePoint, maxLength: 2_000 });
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.jsonValue(), text, fc.dictionary(key, fc.oneof(text, fc.anything()))),
        (body) => {
          const words = readWords(body);
          if (words === null) return;
          expect(words.length).toBeGreaterThan(0);
          expect(words.length).toBeLessThanOrEqual(300);
          expect(words).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
          expect(words.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  it('the error envelope: what a service says is shown', () => {
    expect(readWords({ error: ' bad\u0000\n credentials ' })).toBe('bad credentials');
    expect(readWords({ error: 7, message: 'second' })).toBe('second');
    expect(readWords({ error: '', detail: 'third' })).toBe('third');
    expect(readWords({ error: 'x'.repeat(10_000_000) })).toHaveLength(300);
    expect(readWords(['error'])).toBeNull();
  });

  it('Retry-After: nothing, or 0 to 10 minutes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String)), (header) => {
        const wait = readRetryAfter(header, 1_800_000_000_000);
        if (wait !== null) expect(wait >= 0 && wait <= 600_000).toBe(true);
      }),
    );
    expect(readRetryAfter(new Date(1_800_000_090_000).toUTCString(), 1_800_000_000_000)).toBe(90_000);
    expect(readRetryAfter(new Date(1_700_000_000_000).toUTCString(), 1_800_000_000_000)).toBe(0);
  });

  it('cursor headers', () => {
    fc.assert(fc.property(fc.string({ unit: codePoint }), (link) => void readHeaderCursor({ link })));
    expect(readHeaderCursor({ 'x-next-cursor': 'abc' })).toBe('abc');
    expect(
      readHeaderCursor({ link: '</a?cursor=1>; rel="prev", </a?limit=5&cursor=2>; title=x; rel=next' }),
    ).toBe('2');
    expect(readHeaderCursor({ link: '</a?cursor=1>; rel="prev"' })).toBeNull();
    expect(readHeaderCursor({ 'next-cursor': 'x'.repeat(5_000) })).toBeNull();
    expect(readHeaderCursor({})).toBeNull();
  });
});

describe('failures', () => {
  it('every code has a sentence', () => {
    for (const code of failureCodes) {
      const failure = makeFailure({ code, at: 1 });
      expect(failureSchema.parse(failure)).toEqual(failure);
      expect(said(failure.sentence)).toMatch(/^[A-Z].*\.$/);
    }
  });

  it.each([
    ['ECONNREFUSED', 'unreachable'],
    ['ENOTFOUND', 'unreachable'],
    ['UND_ERR_SOCKET', 'unreachable'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls-refused'],
    ['CERT_HAS_EXPIRED', 'tls-refused'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls-refused'],
    ['EPROTO', 'tls-refused'],
    ['HPE_INVALID_CONSTANT', 'unreadable-answer'],
  ])('%s is %s, however deep it lies', (code, kind) => {
    const cause = Object.assign(new Error('cause'), { code });
    const circumstances = { at: 1, status: null, requestId: null, bounds: smallAnswer };
    expect(wireFailure(cause, circumstances).code).toBe(kind);
    expect(wireFailure(new Error('outer', { cause }), circumstances).code).toBe(kind);
    expect(wireFailure(new AggregateError([cause]), circumstances).code).toBe(kind);
  });
});

describe('the connection', () => {
  const failure = makeFailure({ code: 'unreachable', at: 1 });
  const run = (...outcomes: ('answered' | 'troubled' | 'unreachable')[]): ConnectionTrack =>
    outcomes.reduce<ConnectionTrack>(
      (track, outcome, index) =>
        trackConnection(track, { outcome, failure: outcome === 'answered' ? null : failure }, index + 1),
      connectionAtStart(0),
    );

  it.each([
    [[], 'unknown', 0],
    [['answered'], 'online', 1],
    [['troubled'], 'degraded', 1],
    [['unreachable'], 'offline', 1],
    [['answered', 'unreachable'], 'degraded', 2],
    [['answered', 'unreachable', 'unreachable'], 'offline', 3],
    [['answered', 'unreachable', 'answered'], 'online', 3],
    [['answered', 'troubled', 'troubled'], 'degraded', 2],
    [['troubled', 'unreachable'], 'degraded', 1],
    [['troubled', 'unreachable', 'unreachable'], 'offline', 3],
    [['unreachable', 'unreachable'], 'offline', 1],
    [['unreachable', 'troubled'], 'degraded', 2],
    [['unreachable', 'answered'], 'online', 2],
  ] as const)('after %j is %s since %d', (outcomes, state, since) => {
    const { connection } = run(...outcomes);
    expect(connection).toMatchObject({ state, since });
    expect(apiConnectionSchema.parse(connection)).toEqual(connection);
    expect(connection.failure === null).toBe(state === 'online' || state === 'unknown');
  });

  it('is the same object when nothing changed', () => {
    const track = run('answered');
    expect(trackConnection(track, { outcome: 'answered', failure: null }, 9)).toBe(track);
  });
});

describe('the retry budget', () => {
  it('holds two retries, and ten answered operations pay for one more', () => {
    const budget = createRetryBudget();
    const spend = (): boolean => budget.spend();
    for (let answered = 0; answered < 100; answered += 1) budget.earn();
    expect([spend(), spend(), spend()]).toEqual([true, true, false]);
    for (let answered = 0; answered < 9; answered += 1) budget.earn();
    expect(spend()).toBe(false);
    budget.earn();
    expect([spend(), spend()]).toEqual([true, false]);
  });
});
