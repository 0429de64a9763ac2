import { expect, test } from 'vitest';
import { noPolicy, policyStateOf } from '../../../../src-main/core/features/policy/policy.ts';
import { policyKeys, type PolicyState } from '../../../../src-preload/contract/index.ts';
import {
  fixedSettings,
  idleLockWords,
  isFixed,
  sourceWords,
} from '../../../../src-renderer/features/settings/policyText.ts';
import { ordinary } from '../../../support/messages.ts';

const none = policyStateOf(noPolicy);

test('where a policy comes from is said in a sentence of its own each', () => {
  const sources: readonly PolicyState['source'][] = ['none', 'machine', 'command-line', 'invalid'];
  const sentences = sources.map((source) => sourceWords({ ...none, source }));
  expect(new Set(sentences).size).toBe(sources.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(sourceWords({ ...none, source: 'invalid' })).toContain('safest settings');
});

test('everything that a policy can fix has a name and the value that holds', () => {
  const all = fixedSettings({ ...none, fixed: [...policyKeys] });
  expect(all.map(({ key }) => key)).toEqual([...policyKeys]);
  expect(new Set(all.map(({ name }) => name)).size).toBe(policyKeys.length);
  const valueOf = (policy: Partial<PolicyState>, key: PolicyState['fixed'][number]): string | undefined =>
    fixedSettings({ ...none, ...policy, fixed: [key] })[0]?.value;
  expect(valueOf({ exports: false }, 'exports')).toBe('Not allowed');
  expect(valueOf({ exports: true }, 'exports')).toBe('Allowed');
  expect(valueOf({ updates: false }, 'updates')).toBe('Not allowed');
  expect(valueOf({ drop: false }, 'drop')).toBe('Not allowed');
  expect(ordinary(valueOf({ idleLockMs: 420_000 }, 'idleLock'))).toBe('After 7 min');
  expect(valueOf({ idleLockMs: null }, 'idleLock')).toBe('Never');
  expect(
    new Set((['off', 'operator', 'wallboard'] as const).map((kiosk) => valueOf({ kiosk }, 'kiosk'))).size,
  ).toBe(3);
});

test('what is not fixed is not said to be', () => {
  expect(fixedSettings(none)).toEqual([]);
  expect(isFixed(none, 'idleLock')).toBe(false);
  expect(isFixed(undefined, 'idleLock')).toBe(false);
  expect(isFixed({ ...none, fixed: ['idleLock'] }, 'idleLock')).toBe(true);
  expect(ordinary(idleLockWords(45_000))).toBe('After 45 s');
});
