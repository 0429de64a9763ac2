import { expect, test } from 'vitest';
import { groups, stages, withoutColours } from './stages.ts';

test('colours are for a terminal, and for who asks for them', () => {
  expect(withoutColours({}, false)).toEqual({ NO_COLOR: '1' });
  expect(withoutColours({}, true)).toEqual({});
  expect(withoutColours({ FORCE_COLOR: '1' }, false)).toEqual({});
});

/** What a stage runs of a suite: the pattern of its tests, and all else that it is started with. */
function selectionOf(name: string) {
  const command = (stages[name]?.command ?? []).filter((argument) => !argument.startsWith('--workers='));
  const of = (option: string) => command.find((one) => one.startsWith(option))?.slice(option.length) ?? null;
  const rest = command.filter((argument) => !argument.startsWith('--grep')).join(' ');
  return { name, only: of('--grep='), but: of('--grep-invert='), rest };
}

test('what a stage of npm test leaves out of a suite is what a slow stage runs of it', () => {
  const [usual, slow] = [groups['usual'] ?? [], groups['slow'] ?? []].map((names) => names.map(selectionOf));
  const narrowed = usual!.filter(({ only, but }) => only !== null || but !== null);
  expect(narrowed.map(({ name }) => name)).toEqual(['page', 'journeys', 'journeys:desktop']);
  for (const { name, only, but, rest } of narrowed) {
    // Two patterns at once could leave out what no other stage takes.
    expect([only, but], name).toContain(null);
    expect(slow, name).toContainEqual(expect.objectContaining({ only: but, but: only, rest }));
  }
});
