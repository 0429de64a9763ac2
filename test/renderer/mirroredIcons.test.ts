import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Icons that stand for time, which runs from left to right in every language. */
const ofTime = new Set(['StepBack', 'StepForward']);
const sided = /Left|Right|LogOut|LogIn|Undo|Redo|Reply|Forward|Back/;
const classOf = (icon: string): string =>
  `.lucide${icon.replaceAll(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`)}`;

it('icons that point to a side are turned round where the page is read from right to left', () => {
  const imported = globSync('src-renderer/**/*.{ts,vue}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '@lucide\/vue'/g)].flatMap(
      ([, names = '']) => names.split(',').map((name) => name.trim().split(' ')[0] ?? ''),
    ),
  );
  const pointing = [...new Set(imported)].filter((icon) => sided.test(icon) && !ofTime.has(icon));
  expect(pointing.length).toBeGreaterThan(1);
  const [, turned = ''] =
    /\[dir='rtl'\]\s+:is\(([^)]*)\)/.exec(readFileSync('src-renderer/design/base.css', 'utf8')) ?? [];
  expect(
    turned
      .split(',')
      .map((name) => name.trim())
      .toSorted(),
  ).toEqual(pointing.map(classOf).toSorted());
});
