import { describe, expect, it } from 'vitest';
import { judge } from '../../build/security/judge.ts';
import { asReadable, scan } from '../../build/security/scanner.ts';
import { seededIds, seededText } from '../../build/security/seeded.ts';

const seeded = { file: 'seeded/bad.ts', ids: ['SANDBOX_JS_CHECK'] };
const good = {
  what: 'sources',
  given: 2,
  read: 2,
  errors: [],
  findings: [
    { id: 'SANDBOX_JS_CHECK', file: 'seeded/bad.ts', line: 1 },
    { id: 'OPEN_EXTERNAL_JS_CHECK', file: 'a.ts', line: 7 },
  ],
};
const accepted = [
  { id: 'OPEN_EXTERNAL_JS_CHECK', file: 'a.ts', reason: 'Only addresses that were asked for get here.' },
];

describe('what is wrong with a scan', () => {
  it('is nothing when every finding is accepted and every acceptance used', () => {
    expect(judge(good, accepted, seeded)).toEqual([]);
  });

  it.each([
    ['a finding that is not accepted', good, [], 'OPEN_EXTERNAL_JS_CHECK in a.ts:7 is not accepted'],
    [
      'an acceptance of another file',
      good,
      [{ ...accepted[0], file: 'b.ts' }],
      'OPEN_EXTERNAL_JS_CHECK in a.ts:7 is not accepted',
    ],
    [
      'an acceptance that is not used',
      { ...good, findings: good.findings.slice(0, 1) },
      accepted,
      'the acceptance of OPEN_EXTERNAL_JS_CHECK in a.ts is not used',
    ],
    [
      'an acceptance without a reason',
      good,
      [{ ...accepted[0], reason: 'fine' }],
      'the acceptance of OPEN_EXTERNAL_JS_CHECK gives no reason',
    ],
    [
      'an error of the parser',
      { ...good, errors: ['a.ts: Unexpected token'] },
      accepted,
      'error parsing a.ts',
    ],
    ['a file that was not read', { ...good, read: 1 }, accepted, 'only 1 of 2 files were read'],
    [
      'the file that is bad on purpose passing',
      { ...good, findings: good.findings.slice(1) },
      accepted,
      'SANDBOX_JS_CHECK was not found in the file that is bad on purpose',
    ],
  ])('is %s', (_name, scanned, list, problem) => {
    const problems = judge(scanned, list as typeof accepted, seeded);
    expect(problems).toHaveLength(list.length > 0 && list[0]?.file === 'b.ts' ? 2 : 1);
    expect(problems[0]).toContain(problem);
  });
});

describe('the scanner', () => {
  it.each(['bad.ts', 'bad.js', 'bad.cjs'])('finds what is bad in %s', async (name) => {
    const { given, read, errors, findings } = await scan([{ name, text: seededText }], '45.0.0');
    expect({ given, read, errors }).toEqual({ given: 1, read: 1, errors: [] });
    for (const id of seededIds) expect(findings).toContainEqual(expect.objectContaining({ id, file: name }));
  });

  it('reads the script and the template of a single-file component', async () => {
    const text = `<script setup lang="ts">${seededText}</script>\n<template><webview nodeintegration /></template>`;
    expect(asReadable({ name: 'a/Bad.vue', text }).map(({ name }) => name)).toEqual([
      'a/Bad.vue.ts',
      'a/Bad.vue.html',
    ]);
    const { findings } = await scan([{ name: 'a/Bad.vue', text }], '45.0.0');
    for (const id of [...seededIds, 'NODE_INTEGRATION_HTML_CHECK']) {
      expect(findings).toContainEqual(expect.objectContaining({ id, file: 'a/Bad.vue' }));
    }
  });

  it('says which file it could not read', async () => {
    const { errors } = await scan([{ name: 'a/broken.ts', text: 'const = ;' }], '45.0.0');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^a\/broken\.ts: /);
  });
});
