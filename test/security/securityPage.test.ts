import { existsSync, readFileSync } from 'node:fs';
import { FuseV1Options } from '@electron/fuses';
import { describe, expect, it } from 'vitest';
import { namedTests, readAttacks, sectionOf, standsIn } from '../runner/attacks.ts';

const page = readFileSync('SECURITY.md', 'utf8');
const evidence = readFileSync('docs/security-evidence.md', 'utf8');
const checklist = readFileSync('test/hosts/desktop/checklist.test.ts', 'utf8');
const rowsUnder = (heading: string): string[][] =>
  sectionOf(evidence, heading)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

/** The items of a list that begin with a bold name. */
const itemsOf = (section: string): string[] =>
  section.split(/^(?=- )/m).filter((item) => item.startsWith('- **'));
const nameOf = (item: string): string => /^- \*\*(.*?)\.?\*\*/.exec(item)?.[1] ?? '';

describe('SECURITY.md', () => {
  it('has the twenty points of the checklist, each with a test of that name', () => {
    const rows = rowsUnder("Electron's checklist");
    expect(rows).toHaveLength(20);
    for (const [index, [, test = '', what = '']] of rows.entries()) {
      expect(test).toMatch(new RegExp(`^\`${String(index + 1)}\\. `));
      expect(checklist).toContain(`it('${test.replaceAll('`', '')}'`);
      expect(what).not.toBe('');
    }
  });

  it('has tests that exist for each promise and each threat that the console defends against', () => {
    for (const [heading, own, count] of [
      ['Promises', 'What the console promises', 16],
      ['Threats', 'Threat model', 6],
    ] as const) {
      const statements = itemsOf(sectionOf(page, own));
      const proven = itemsOf(sectionOf(evidence, heading));
      expect(statements).toHaveLength(count);
      expect(proven.map(nameOf)).toEqual(statements.map(nameOf));
      for (const item of proven) expect(namedTests(item), item).not.toEqual([]);
    }
    for (const test of namedTests(evidence)) expect(standsIn(test), `${test.file}: ${test.title}`).toBe(true);
  });

  it('has a test for each attack', () => {
    const attacks = readAttacks();
    expect(attacks).toHaveLength(sectionOf(evidence, 'Attacks').match(/^- /gm)?.length ?? 0);
    expect(new Set(attacks.map(({ attacker }) => attacker)).size).toBe(4);
  });

  it('says first, in forty lines, what is defended against and what is not', () => {
    const [before = '', after = ''] = page.split('\n## What the console promises\n');
    expect(before.split('\n').length).toBeLessThanOrEqual(40);
    expect(before.indexOf('**Not defended against**')).toBeLessThan(before.indexOf('**Defended against**'));
    expect(
      after
        .trim()
        .split('\n')
        .every((line) => line.startsWith('- **')),
    ).toBe(true);
  });

  it('has every fuse that Electron has', () => {
    const named = rowsUnder('Fuses').map(([, fuse = '']) => fuse.replaceAll('`', ''));
    const known = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
    expect(named.toSorted()).toEqual(known.toSorted());
  });

  it('names only files that are there', () => {
    const paths = [...`${page}${evidence}`.matchAll(/`((?:build|test|src-[a-z]+|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => path,
    );
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect(existsSync(path ?? ''), path).toBe(true);
  });
});
