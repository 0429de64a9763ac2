import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  kioskWithoutPolicy,
  noPolicy,
  policyStateOf,
} from '../../../../src-main/core/features/policy/policy.ts';
import { policyKeys, policySchema } from '../../../../src-preload/contract/index.ts';
import { machinePolicy, policyPath, verifierLine } from './policyRig.ts';
import { said } from '../../../support/messages.ts';

const minute = 60_000;

describe('a policy', () => {
  it('that says nothing only takes the updates into its hands', () => {
    expect(machinePolicy({})).toEqual({
      ...noPolicy,
      source: 'machine',
      path: policyPath,
      fixed: ['updates'],
      updates: { allowed: false, server: null },
    });
  });

  it('sets everything that it names', async () => {
    const policy = machinePolicy({
      kiosk: {
        mode: 'operator',
        leave: await verifierLine(),
        idleLockMinutes: 3,
        hidePointerSeconds: 9,
        rotateSeconds: 12,
        drop: true,
      },
      exports: true,
      evidencePreview: false,
      saveData: true,
      systemAuthorities: true,
      updates: { allowed: true, server: 'https://updates.example/field' },
      deployments: ['/etc/field-console/north.json', 'training'],
      logLevel: 'warn',
      passwordOnly: true,
    });
    expect(policy).toMatchObject({
      source: 'machine',
      problem: null,
      kiosk: 'operator',
      leave: { kind: 'code' },
      idleLockMs: 3 * minute,
      hidePointerMs: 9_000,
      rotateMs: 12_000,
      drop: true,
      exports: true,
      evidencePreview: false,
      saveData: true,
      systemAuthorities: true,
      updates: { allowed: true, server: 'https://updates.example/field' },
      deployments: { kind: 'listed', files: ['/etc/field-console/north.json'], training: true },
      logLevel: 'warn',
      passwordOnly: true,
    });
    expect([...policy.fixed].sort()).toEqual([...policyKeys].sort());
  });

  it.each([
    ['operator', 10 * minute],
    ['wallboard', null],
  ] as const)('with a kiosk (%s) forbids what is not said to be allowed', (mode, idleLockMs) => {
    const policy = machinePolicy({ kiosk: { mode } });
    expect(policy).toMatchObject({
      kiosk: mode,
      leave: { kind: 'anybody' },
      idleLockMs,
      hidePointerMs: 5_000,
      drop: false,
      exports: false,
      updates: { allowed: false },
    });
    expect([...policy.fixed].sort()).toEqual(['drop', 'exports', 'idleLock', 'kiosk', 'updates']);
  });

  it('may say that a console never locks and a pointer never hides', () => {
    const rules = { mode: 'operator', idleLockMinutes: null, hidePointerSeconds: null };
    expect(machinePolicy({ kiosk: rules })).toMatchObject({ idleLockMs: null, hidePointerMs: null });
  });

  it('sets an idle time outside of a kiosk too', () => {
    const policy = machinePolicy({ kiosk: { idleLockMinutes: 2 } });
    expect(policy).toMatchObject({ kiosk: 'off', idleLockMs: 2 * minute, exports: true, drop: true });
    expect(policy.fixed).toContain('idleLock');
  });

  it.each([
    [{ kiosk: { mode: 'wallboard' } }, 'operator', 'wallboard'],
    [{ kiosk: { mode: 'off' } }, 'operator', 'off'],
    [{ exports: true }, 'operator', 'operator'],
    [{}, 'wallboard', 'wallboard'],
  ] as const)('%j wins over a start as %s: %s', (file, asked, kiosk) => {
    expect(machinePolicy(file, asked).kiosk).toBe(kiosk);
  });

  it('keeps the code of a kiosk that only the start asks for', async () => {
    const policy = machinePolicy({ kiosk: { leave: await verifierLine() } }, 'operator');
    expect(policy).toMatchObject({ kiosk: 'operator', leave: { kind: 'code' }, exports: false });
  });

  it('is shown to the page without its verifier', async () => {
    const line = await verifierLine();
    const state = policyStateOf(machinePolicy({ kiosk: { mode: 'operator', leave: line } }));
    expect(policySchema.safeParse(state).error).toBeUndefined();
    expect(state.leave).toEqual({ code: true, throttledUntil: null });
    expect(JSON.stringify(state)).not.toContain(line.split('$')[5]);
  });
});

describe('a start without a policy', () => {
  it('asks for a kiosk that anybody may leave', () => {
    expect(kioskWithoutPolicy('operator')).toMatchObject({
      source: 'command-line',
      path: null,
      leave: { kind: 'anybody' },
      idleLockMs: 10 * minute,
      drop: false,
      exports: false,
      updates: { allowed: false },
    });
    expect(kioskWithoutPolicy('wallboard').idleLockMs).toBeNull();
    expect(kioskWithoutPolicy('off')).toBe(noPolicy);
  });
});

describe('a policy that cannot be used', () => {
  const canary = 'canary7f3a';

  it.each<[string | object, string]>([
    ['', 'the file: is not JSON at line 1, column 1.'],
    ['{"version":1,\n  exports: true}', 'the file: is not JSON at line 2, column 3.'],
    ['[]', 'the file: must be an object.'],
    ['null', 'the file: must be an object.'],
    ['{}', 'version: must be 1.'],
    [{ version: 2 }, 'version: must be 1.'],
    [{ [canary]: 1 }, `${canary}: not part of a policy`],
    [{ $schema: canary }, '(a key with unusual characters): not part of a policy'],
    [{ kiosk: canary }, 'kiosk: must be an object.'],
    [{ kiosk: { mode: canary } }, 'kiosk.mode: must be "off", "operator" or "wallboard".'],
    [{ kiosk: { leave: canary } }, 'kiosk.leave: must be a line printed by npm run kiosk-code.'],
    [{ kiosk: { leave: 7 } }, 'kiosk.leave: must be a string.'],
    [{ kiosk: { modus: canary } }, 'kiosk.modus: not part of a policy'],
    [{ kiosk: { idleLockMinutes: 0 } }, 'kiosk.idleLockMinutes: must be a whole number of minutes'],
    [{ kiosk: { idleLockMinutes: 1.5 } }, 'kiosk.idleLockMinutes: must be a whole number.'],
    [{ kiosk: { rotateSeconds: null } }, 'kiosk.rotateSeconds: must be'],
    [{ exports: canary }, 'exports: must be'],
    [{ updates: true }, 'updates: must be an object.'],
    [{ updates: { server: `http://${canary}.example` } }, 'updates.server: must be an https address.'],
    [{ updates: { server: 'http://127.0.0.1' } }, 'updates.server: must be an https address.'],
    [{ updates: { server: `https://u:${canary}@x.example` } }, 'updates.server: must not hold a user name'],
    [{ deployments: [canary] }, 'deployments.0: must be the absolute path of a deployment file'],
    [{ deployments: [] }, 'deployments: must name at least one.'],
    [{ deployments: `/${canary}` }, 'deployments: must be an array.'],
    [{ logLevel: canary }, 'logLevel: must be "debug", "info", "warn" or "error".'],
    [{ passwordOnly: 1 }, 'passwordOnly: must be'],
    [`{"version":1,"x":"${'x'.repeat(70_000)}"}`, 'the file: is larger than 64 KiB.'],
  ])('%j says which key, and never a value', (file, reason) => {
    const { problem } = machinePolicy(file);
    expect(problem).toMatchObject({ code: 'policy-invalid' });
    const text = said(problem?.sentence) ?? '';
    expect(text).toContain(`Cause: ${reason}`);
    expect(text.replace(`${canary}: not part`, '')).not.toContain(canary);
  });

  it('puts the console into its safest form', () => {
    const policy = machinePolicy({ exports: true, updates: { allowed: true }, unknown: 1 });
    expect(policy).toMatchObject({
      source: 'invalid',
      path: policyPath,
      fixed: policyKeys,
      kiosk: 'off',
      idleLockMs: 5 * minute,
      drop: false,
      exports: false,
      updates: { allowed: false, server: null },
      logLevel: 'info',
      deployments: { kind: 'known' },
    });
    expect(policySchema.safeParse(policyStateOf(policy)).error).toBeUndefined();
  });

  it('stays the kiosk that it was, with its code where that can be read', async () => {
    const leave = await verifierLine();
    const kiosk = { mode: 'wallboard', leave };
    expect(machinePolicy({ kiosk, unknown: 1 })).toMatchObject({
      kiosk: 'wallboard',
      leave: { kind: 'code' },
      idleLockMs: 5 * minute,
      hidePointerMs: 5_000,
    });
    const cut = JSON.stringify({ version: 1, kiosk, exports: true }).slice(0, -4);
    expect(machinePolicy(cut)).toMatchObject({ kiosk: 'wallboard', leave: { kind: 'code' } });
    expect(machinePolicy(cut.slice(0, 50))).toMatchObject({ kiosk: 'wallboard', leave: { kind: 'system' } });
  });

  it.each([
    [{ kiosk: { mode: 'operater' } }, 'off', 'operator'],
    [{ kiosk: { mode: true } }, 'off', 'operator'],
    [{ kiosk: { mode: 'operator', leave: 'scrypt$1024$8$1$AAAA$AAAA' } }, 'off', 'operator'],
    [{ unknown: 1 }, 'operator', 'operator'],
    [{ kiosk: { mode: 'off' }, unknown: 1 }, 'wallboard', 'wallboard'],
    [{ kiosk: { mode: 'off' }, unknown: 1 }, 'off', 'off'],
  ] as const)('%j, started as %s, is %s and ended through the system only', (file, asked, kiosk) => {
    expect(machinePolicy(file, asked)).toMatchObject({ kiosk, leave: { kind: 'system' } });
  });
});

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/policy.md'), 'utf8');

it('every example of the guide is a policy that can be used', () => {
  const examples = [...guide.matchAll(/```json\n([^]*?)```/g)].map(([, text]) => machinePolicy(text ?? ''));
  expect(examples).toHaveLength(3);
  for (const { problem } of examples) expect(problem).toBeNull();
});

it('the guide’s table names every key', () => {
  const named = [...guide.matchAll(/^\| `([\w.]+)` /gm)].map(([, key]) => key);
  expect(named).toEqual([
    'version',
    ...['mode', 'leave', 'idleLockMinutes', 'hidePointerSeconds', 'rotateSeconds', 'drop'].map(
      (key) => `kiosk.${key}`,
    ),
    'exports',
    'evidencePreview',
    'saveData',
    'systemAuthorities',
    'updates.allowed',
    'updates.server',
    'deployments',
    'logLevel',
    'passwordOnly',
  ]);
  for (const key of named) {
    const [outer = '', inner] = (key ?? '').split('.');
    const wrong = { [outer]: inner === undefined ? { x: 1 } : { [inner]: { x: 1 } } };
    expect(said(machinePolicy({ version: 1, ...wrong }).problem?.sentence), key).not.toContain(
      'not part of a policy',
    );
  }
});
