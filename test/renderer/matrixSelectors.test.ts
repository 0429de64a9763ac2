import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (pattern: string): readonly string[] =>
  globSync(pattern).map((path) => readFileSync(path, 'utf8'));

/** The classes that the matrix finds its states by, which have no name in any language. */
const wanted = new Set(
  read('test/e2e-matrix/*.ts').flatMap((text) =>
    [...text.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].flatMap(([, quoted, template]) =>
      [
        ...(quoted ?? template ?? '').matchAll(
          /(?<![\w/.}])\.([a-z]+(?:-[a-z]+)*(?:__[a-z-]+)?)(?![\w./(-])/g,
        ),
      ].map(([, name]) => name ?? ''),
    ),
  ),
);
const page = read('src-renderer/**/*.{vue,css}').join('\n');
/** Made by libraries: the icons' and the map's. */
const isOthers = (name: string): boolean => /^(?:lucide|maplibregl)-/.test(name);

// The matrix takes half an hour and is run on request: a part that is called otherwise by then is not reached.
it('every part of the page that the matrix presses or waits for is there under its name', () => {
  expect(wanted.size).toBeGreaterThan(60);
  const missing = [...wanted].filter((name) => {
    const isMade = new RegExp(`class="(?:[^"]*[\\s'])?${name}[\\s"']|\\.${name}(?![\\w-])`);
    return !isOthers(name) && !isMade.test(page);
  });
  expect(missing).toEqual([]);
});
