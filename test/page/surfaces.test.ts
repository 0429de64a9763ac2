import { expect, test } from 'vitest';
import { allStates } from './allStates.ts';
import { kinds, kindsInUse, surfaces } from './surfaces.ts';

const known = surfaces();

test('the kinds of surfaces are those that templates are made with', () => {
  const made = kinds.split('|').filter((kind) => /^[A-Z]/.test(kind));
  expect(made.toSorted()).toEqual([...kindsInUse()].toSorted());
});

test('every page, panel, drawer, dialog and menu has a class or id that no other has', () => {
  expect(known.length).toBeGreaterThan(80);
  expect(known.filter(({ selector }) => selector === '').map(({ name }) => name)).toEqual([]);
});

test('every page, panel, drawer, dialog and menu is what some state of the gallery shows', () => {
  const shown = new Set(allStates.flatMap(({ shows = [] }) => shows));
  expect(known.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
});

test('states show nothing that no component has', () => {
  const names = new Set(known.map(({ name }) => name));
  for (const { name, shows = [] } of allStates)
    expect(
      shows.filter((surface) => !names.has(surface)),
      name,
    ).toEqual([]);
});
