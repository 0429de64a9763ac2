import { expect, test } from 'vitest';
import { followsImports, selectStages } from './changed.ts';
import { groups, stages } from './stages.ts';

const usual = groups['usual'] ?? [];
const left = (...changed: string[]) => selectStages(usual, stages, changed).left.map(({ stage }) => stage);

test('a change of the page reaches all but the desktop host', () => {
  expect(left('src-renderer/app/Shell.vue')).toEqual(['desktop']);
});

test('a change of the core reaches the page too, which starts from a recording of it', () => {
  expect(left('src-main/core/service/session/session.ts')).toEqual([]);
  expect(selectStages(usual, stages, ['test/hosts/browser/access.test.ts']).left).toContainEqual({
    stage: 'page',
    why: 'no change of src-* or test/page',
  });
});

test('a page of the documentation needs no types, no application in a browser, and no desktop', () => {
  const stays = left('docs/time.md');
  expect(stays).toEqual(
    expect.arrayContaining(['types:main', 'walls', 'desktop', 'page', 'journeys', 'packed']),
  );
  expect(stays).not.toContain('format');
  expect(stays).not.toContain('unit');
});

test('a test runs without what it cannot reach', () => {
  expect(left('test/core/api/cid.test.ts')).toEqual(
    expect.arrayContaining(['security', 'desktop', 'page', 'journeys', 'packed']),
  );
  expect(left('test/page/alarms.page.ts')).not.toContain('page');
  expect(left('test/e2e/alarms.spec.ts')).not.toContain('journeys');
});

test('whatever runs finds what it reads made anew', () => {
  for (const file of ['docs/time.md', 'test/page/alarms.page.ts', 'src-main/serve.ts']) {
    const { run } = selectStages(usual, stages, [file]);
    for (const name of run) expect(run).toEqual(expect.arrayContaining([...(stages[name]?.after ?? [])]));
  }
});

test('what everything stands on reaches everything', () => {
  for (const file of [
    'package-lock.json',
    'test/support/clock.ts',
    'vitest.config.ts',
    'tsconfig.base.json',
  ]) {
    expect(left(file), file).toEqual([]);
    expect(followsImports([file]), file).toBe(false);
  }
});

test('without a change nothing runs, and that is said', () => {
  const { run, left: stays } = selectStages(usual, stages, []);
  expect(run).toEqual([]);
  expect(stays.map(({ why }) => why)).toEqual(usual.map(() => 'nothing has changed'));
});

test('Vitest follows imports only from files that are imported', () => {
  expect(followsImports(['src-main/core/base/ports.ts', 'test/core/api/cid.test.ts'])).toBe(true);
  expect(followsImports(['src-main/core/base/ports.ts', 'docs/time.md'])).toBe(false);
  expect(followsImports(['build/deb.ts'])).toBe(false);
  expect(followsImports(['test/fixtures/walls/bad.json'])).toBe(false);
});
