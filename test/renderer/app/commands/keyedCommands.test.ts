import { expect, it, vi } from 'vitest';
import { actionsOf, commandsByAction } from '../../../../src-renderer/app/commands/actions.ts';
import { keyedCommands, type KeyedCommand } from '../../../../src-renderer/base/commandKeys.ts';
import { commandShortcuts, shortcutGroups } from '../../../../src-renderer/base/shortcuts.ts';
import { createPage } from '../../pageRig.ts';

/** A key as docs/recipes.md adds one: one line of the table. */
const withOneMore: Readonly<Record<string, KeyedCommand>> = {
  ...keyedCommands,
  refresh: { keys: ['R'], action: 'refresh', does: 'shortcuts.walk.nearer' },
};

it('one line of the table puts a key into the list of keys and beside its action', () => {
  expect(commandShortcuts('walk', withOneMore)).toEqual([
    ...commandShortcuts('walk'),
    { keys: ['R'], action: 'refresh', does: 'shortcuts.walk.nearer' },
  ]);
  expect(commandsByAction(withOneMore).get('refresh')).toBe('refresh');
  expect(commandsByAction(keyedCommands).get('refresh')).toBeUndefined();
});

it('every action that a key names is there, and each has the keys of the one that names it', () => {
  vi.stubGlobal('document', new EventTarget());
  const actions = createPage().run(() => actionsOf().value);
  vi.unstubAllGlobals();
  const named = actions.flatMap(({ id, command }) => (command === undefined ? [] : [[id, command]]));
  expect(new Map(named as [string, string][])).toEqual(commandsByAction(keyedCommands));
});

it('the list of keys has every command of the table', () => {
  const listed = shortcutGroups.flatMap(({ shortcuts }) => shortcuts);
  for (const command of Object.values(keyedCommands)) expect(listed).toContain(command);
});
