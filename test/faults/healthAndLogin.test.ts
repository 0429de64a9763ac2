import { expect, it } from 'vitest';
import { readHealth } from '../../src-main/core/features/health/integration.ts';
import { readLoginAnswer } from '../../src-main/core/service/session/loginAnswer.ts';
import { smallAnswer } from '../../src-main/core/service/transport/answerBounds.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { decodeAnswer } from './support/decodeAnswer.ts';
import { damage, drawBytes, drawJunk, jsonText, setOwn } from './support/mutations.ts';
import { english } from '../../src-main/core/base/messages/message.ts';

const names = { aiAnalysis: 'ai_analysis', ipfsPinning: '__proto__', ledger: 'x'.repeat(128) };
const levels = ['ok', 'degraded', 'down', 'unknown'];

const isPlain = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);
const own = (body: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(body, name) ? Object.getOwnPropertyDescriptor(body, name)?.value : undefined;

function checkHealth(body: unknown): boolean {
  const reading = readHealth(body, names);
  expect(reading === null).toBe(!isPlain(body));
  if (!reading || !isPlain(body)) return false;
  const status = own(body, 'status');
  expect(reading.overall === null).toBe(status === undefined || status === null);
  expect(reading.integrations.length <= 64).toBe(true);
  const all = [...reading.integrations, ...(reading.overall ? [{ ...reading.overall, value: 'x' }] : [])];
  for (const { level, value } of all) {
    expect(levels).toContain(level);
    expect(typeof value === 'string' && value.length <= 513).toBe(true);
  }
  for (const { field, label, kind, level } of reading.integrations) {
    expect(field.length <= 129 && english(label).length <= 129).toBe(true);
    // A name that was shortened no longer leads to its value.
    if (field.length > 128) continue;
    const value = own(body, field);
    // No state is claimed for what is neither a flag nor a word.
    if (typeof value !== 'boolean' && typeof value !== 'string') {
      expect(level).toBe('unknown');
    }
    expect(kind === 'flag').toBe(typeof value === 'boolean');
  }
  return true;
}

const now = Date.UTC(2026, 10, 27);

/** Whether the answer was taken as a grant, which only a token and a time of its own may be. */
function checkLogin(body: unknown): boolean {
  const grant = readLoginAnswer(body, now);
  if (grant === null) return false;
  expect(isPlain(body)).toBe(true);
  if (!isPlain(body)) return false;
  expect(own(body, 'token')).toBe(grant.token);
  expect(grant.token).toMatch(/^[\x21-\x7e]{1,16384}$/);
  const expiry = own(body, 'expires_at');
  expect(['number', 'string']).toContain(typeof expiry);
  expect(Number(expiry) > 0).toBe(true);
  // Within the years that a date is written in, whatever the unit.
  expect(grant.expiresAt).toBeLessThanOrEqual(Date.UTC(9999, 11, 31, 23, 59, 59, 999));
  const units = [1, 1e3, 1e6, 1e9].map((perSecond) => Math.floor((Number(expiry) * 1000) / perSecond));
  expect(units).toContain(grant.expiresAt);
  expect(Number.isSafeInteger(grant.expiresAt)).toBe(true);
  return true;
}

const goodHealth = () => ({
  status: 'ok',
  ai_analysis: true,
  ipfs_pinning: false,
  ledger: 'connected',
  version: '1.2.3',
});
const goodLogin = (draw: Seeded) => ({
  token: `t${String(draw.next())}`,
  expires_at: 1 + draw.below(8_000_000_000),
});

function mutated(draw: Seeded): unknown {
  const body: Record<string, unknown> =
    draw.below(2) === 0 ? goodHealth() : { ...goodLogin(draw), ...(draw.below(4) === 0 ? goodHealth() : {}) };
  for (let left = draw.below(4); left > 0; left -= 1) {
    const present = Object.keys(body);
    const name = draw.pick([
      'token',
      'expires_at',
      'status',
      '__proto__',
      'constructor',
      'x'.repeat(200),
      ...present,
    ]);
    if (draw.below(3) === 0) Reflect.deleteProperty(body, name);
    else setOwn(body, name, drawJunk(draw));
  }
  if (draw.below(50) === 0) {
    for (let field = 0; field < 100; field += 1) setOwn(body, `field-${String(field)}`, drawJunk(draw));
  }
  return draw.below(10) === 0 ? draw.pick([[body], { data: body }, { __proto: body }, drawJunk(draw)]) : body;
}

it(
  'reads any health and sign-in answer, and grants nothing without a token and its time',
  async () => {
    const options = { name: 'health-and-login', whole: 10_000, part: 500 };
    const outcomes = await runCampaign(options, async (draw, index) => {
      if (index % 10 === 0) {
        const answer = goodLogin(draw);
        const text = jsonText({ ...answer, expires_at: String(answer.expires_at), more: drawJunk(draw) });
        const decoded = await decodeAnswer(Buffer.from(text), smallAnswer);
        if ('refused' in decoded) {
          // Its junk alone has more arrays than an answer about one thing may hold.
          expect(text).toContain('['.repeat(smallAnswer.containers - 10));
          return decoded.refused;
        }
        expect(readLoginAnswer(decoded.body, now)).toEqual({
          token: answer.token,
          expiresAt: answer.expires_at * 1000,
        });
        return 'granted as it must be';
      }
      const text = Buffer.from(jsonText(mutated(draw)));
      const kind = draw.below(8);
      const bytes = kind === 0 ? drawBytes(draw, 100) : kind < 3 ? damage(text, draw) : text;
      const decoded = await decodeAnswer(bytes, smallAnswer);
      if ('refused' in decoded) return decoded.refused;
      const { body } = decoded;
      const health = checkHealth(body);
      if (checkLogin(body)) return 'with a token and a time';
      return health ? 'read as health' : 'of no shape';
    });
    for (const outcome of [
      'read as health',
      'with a token and a time',
      'of no shape',
      'not JSON',
      'beyond a bound',
    ]) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
  },
  campaignTimeoutMs,
);
