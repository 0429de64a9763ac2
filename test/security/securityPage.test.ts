import { existsSync, readFileSync } from 'node:fs';
import { FuseV1Options } from '@electron/fuses';
import { describe, expect, it } from 'vitest';
import { namedTests, readAttacks, sectionOf, standsIn } from '../runner/attacks.ts';

const page = readFileSync('SECURITY.md', 'utf8');
const checklist = readFileSync('test/hosts/desktop/checklist.test.ts', 'utf8');
const rowsUnder = (heading: string): string[][] =>
  (page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

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

  it('names tests that exist for each promise and each attack', () => {
    const promises = sectionOf(page, 'What the console promises').split(/^- /m).slice(1);
    expect(promises.length).toBeGreaterThan(10);
    for (const promise of promises) expect(namedTests(promise), promise).not.toEqual([]);
    const attacks = readAttacks(page);
    const lines = sectionOf(page, 'Attacks').match(/^- /gm);
    expect(attacks).toHaveLength(lines?.length ?? 0);
    expect(new Set(attacks.map(({ attacker }) => attacker)).size).toBe(4);
    for (const test of namedTests(page)) expect(standsIn(test), `${test.file}: ${test.title}`).toBe(true);
  });

  it('names tests for each threat that the console defends against', () => {
    const threats = sectionOf(page, 'Threat model')
      .split(/^(?=\*\*)/m)
      .slice(1);
    const untested = threats.filter((threat) => namedTests(threat).length === 0);
    const names = untested.map((threat) => /^\*\*(.*?)\*\*/.exec(threat)?.[1]);
    expect(names).toEqual(['Outside of it', 'Not defended against:']);
    expect(threats).toHaveLength(8);
  });

  it('has every fuse that Electron has', () => {
    const named = rowsUnder('Fuses').map(([, fuse = '']) => fuse.replaceAll('`', ''));
    const known = Object.keys(FuseV1Options).filter((name) => !/^\d+$/.test(name));
    expect(named.toSorted()).toEqual(known.toSorted());
  });

  it('names only files that are there', () => {
    const paths = [...page.matchAll(/`((?:build|test|src-[a-z]+|docs)\/[\w./-]+)`/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect(existsSync(path ?? ''), path).toBe(true);
  });
});
