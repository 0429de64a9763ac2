import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../../build/screenshots/topics.ts';

const folder = 'docs/screenshots';
/** What a clone of the repository should cost for pictures at most. */
const mostBytes = 3_000_000;

const files = readdirSync(folder).toSorted();
const pages = ['README.md', ...readdirSync('docs').filter((name) => name.endsWith('.md'))].map((name) =>
  name === 'README.md' ? { name, base: '.' } : { name: join('docs', name), base: 'docs' },
);
/** Every picture that a page shows, as a path from the root, with the words for whoever cannot see it. */
const shown = pages.flatMap(({ name, base }) =>
  [...readFileSync(name, 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(
    ([, words = '', path = '']) => ({
      page: name,
      words,
      path: normalize(join(base, path)),
    }),
  ),
);

describe('the pictures of README and docs', () => {
  it('are those that build/screenshots.ts takes, each of one name', () => {
    const made = topics.flatMap(({ pictures }) => Object.keys(pictures));
    expect(new Set(made).size).toBe(made.length);
    expect(files).toEqual(made.map((name) => `${name}.webp`).toSorted());
  });

  it('are each shown in a page, and no page shows one that is not there', () => {
    const paths = new Set(shown.map(({ path }) => path));
    expect([...paths].toSorted()).toEqual(files.map((name) => join(folder, name)).toSorted());
  });

  it('say in words what they show', () => {
    for (const { page, path, words } of shown) expect(words.length, `${page}: ${path}`).toBeGreaterThan(7);
  });

  it('are WebP, and small enough to be cloned', () => {
    for (const name of files) {
      const head = readFileSync(join(folder, name)).toString('latin1', 0, 12);
      expect(head, name).toMatch(/^RIFF.{4}WEBP$/s);
    }
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(mostBytes);
  });
});
