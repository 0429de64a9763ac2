import { expect, it } from 'vitest';
import { policyStateOf, type Policy } from '../../src-main/core/features/policy/policy.ts';
import { readPolicyText } from '../../src-main/core/features/policy/policyText.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { policyKeys, policySchema, type KioskMode } from '../../src-preload/contract/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { damage, drawBytes, drawJunk, drawText, jsonText, setOwn } from './support/mutations.ts';
import { said } from '../support/messages.ts';

const canary = 'canary7f3a';
const leave = `scrypt$131072$8$1$${Buffer.alloc(16, 1).toString('base64')}$${Buffer.alloc(32, 2).toString('base64')}`;

const valid = () => ({
  version: 1,
  kiosk: {
    mode: 'operator',
    leave,
    idleLockMinutes: 10,
    hidePointerSeconds: 5,
    rotateSeconds: 30,
    drop: true,
  },
  exports: true,
  updates: { allowed: true, server: 'https://updates.example' },
  deployments: ['/etc/field-console/north.json', 'training'],
  logLevel: 'debug',
  passwordOnly: true,
});

const keys: readonly [string, ...string[]] = [
  'kiosk',
  'mode',
  'leave',
  'exports',
  'drop',
  'Exports',
  '__proto__',
  'constructor',
  '<b>',
  '',
];
const values: readonly [unknown, ...unknown[]] = [
  canary,
  { value: canary },
  [canary],
  'off',
  'scrypt$1024$8$1$AAAA$AAAA',
  `https://u:${canary}@updates.example`,
  `/${canary}\0`,
  0,
  -1,
  1e21,
  'true',
];

/** What one case writes into a value must not be there in the next one. */
const fresh = (value: unknown): unknown => structuredClone(value);

function mutated(draw: Seeded): Record<string, unknown> {
  const file: Record<string, unknown> = valid();
  for (let left = draw.below(4); left > 0; left -= 1) {
    const nested = file[draw.pick(['kiosk', 'updates'])];
    const target = draw.below(2) === 0 && typeof nested === 'object' && nested !== null ? nested : file;
    const own = Object.keys(target);
    const key = own[draw.below(own.length)] ?? 'version';
    switch (draw.below(4)) {
      case 0:
        setOwn(target, draw.pick(keys), fresh(draw.pick(values)));
        break;
      case 1:
        setOwn(target, key, fresh(draw.pick(values)));
        break;
      case 2:
        setOwn(target, key, fresh(drawJunk(draw)));
        break;
      default:
        Reflect.deleteProperty(target, key);
    }
  }
  return file;
}

/** A damaged text may have made a key of the canary; only values are promised to stay unsaid. */
function namesCanary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => key.includes(canary) || namesCanary(member));
}

function checkSafest(policy: Policy, asked: KioskMode, text: string): void {
  expect(policy).toMatchObject({
    fixed: policyKeys,
    idleLockMs: 300_000,
    drop: false,
    exports: false,
    updates: { allowed: false, server: null },
    logLevel: 'info',
    deployments: { kind: 'known' },
    passwordOnly: false,
  });
  expect(policy.leave.kind).not.toBe('anybody');
  if (asked !== 'off') expect(policy.kiosk).not.toBe('off');
  // A kiosk that is still legible stays one.
  if (/"mode"\s*:\s*"(operator|wallboard)"/.test(text) && /"kiosk"\s*:\s*\{"mode"/.test(text)) {
    expect(policy.kiosk, text).not.toBe('off');
  }
  const sentence = said(policy.problem?.sentence) ?? '';
  expect(policy.problem?.code).toBe('policy-invalid');
  expect(sentence).toMatch(/^.{1,512}\.$/s);
  expect(sentence).not.toContain(leave);
  if (sentence.includes(canary)) expect(namesCanary(JSON.parse(text))).toBe(true);
}

function check(text: string, asked: KioskMode): string {
  const policy = readPolicyText(text, { source: 'machine', path: '/etc/policy.json', asked, at: 0 });
  expect(policySchema.safeParse(policyStateOf(policy)).error).toBeUndefined();
  expect(JSON.stringify(policyStateOf(policy))).not.toContain(leave);
  if (policy.source === 'invalid') {
    checkSafest(policy, asked, text);
    return 'invalid';
  }
  expect(policy.problem).toBeNull();
  const body = JSON.parse(text) as { readonly kiosk?: { readonly mode?: unknown; readonly leave?: unknown } };
  expect(policy.kiosk).toBe(body.kiosk?.mode ?? asked);
  expect(policy.leave.kind).toBe(body.kiosk?.leave === undefined ? 'anybody' : 'code');
  return 'valid';
}

it(
  'a policy that is damaged in any way starts the console, and never less safely than in its safest form',
  async () => {
    const options = { name: 'policy-files', whole: 10_000, part: 500 };
    const outcomes = await runCampaign(options, (draw) => {
      const asked = draw.pick(['off', 'operator', 'wallboard'] as const);
      const text = jsonText(mutated(draw));
      switch (draw.below(8)) {
        case 0:
          return check(drawText(draw, 400), asked);
        case 1:
          return check(Buffer.from(drawBytes(draw, 400)).toString('utf8'), asked);
        case 2:
          return check(text.slice(0, draw.below(text.length)), asked);
        case 3:
          return check(Buffer.from(damage(Buffer.from(text), draw)).toString('utf8'), asked);
        default:
          return check(text, asked);
      }
    });
    for (const outcome of ['invalid', 'valid'])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  },
  campaignTimeoutMs,
);
