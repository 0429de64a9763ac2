import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import type { ConsoleState } from '../../../../src-preload/contract/index.ts';
import { useWatch } from '../../../../src-renderer/features/notes/notesStore.ts';
import { createPage } from '../../pageRig.ts';

const active = { state: 'active', expiresAt: 1 } as const;
const unlocked = { locked: false, username: null, deploymentName: null, throttledUntil: null };
const sessionOf = (vault: 'open' | 'closed', username: string | null): ConsoleState['session'] => ({
  vault,
  username,
  session: active,
});

function open() {
  const page = createPage();
  const desk = page.run(() => useWatch());
  let revision = 0;
  /** A snapshot: what is not in it is withheld. */
  const shows = async (slices: Partial<ConsoleState>): Promise<void> => {
    revision += 1;
    page.push({ epoch: 'a', revision, base: null, incidents: null, slices });
    await nextTick();
  };
  return { desk, shows };
}

it('words that are not saved outlast a lock, and go with their operator', async () => {
  const { desk, shows } = open();
  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  desk.setDraft('inc-1', 'Half a thought');
  desk.setDraft('inc-2', 'Another');
  desk.setDraft('inc-2', '');
  await shows({ lock: { ...unlocked, locked: true, username: 'ann' } });
  expect(desk.drafts).toEqual({ 'inc-1': 'Half a thought' });
  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  expect(desk.drafts).toEqual({ 'inc-1': 'Half a thought' });

  await shows({ session: sessionOf('closed', null), lock: unlocked });
  expect(desk.drafts).toEqual({});
});

it('nothing of one operator’s words is there for the next, whatever was seen in between', async () => {
  const { desk, shows } = open();
  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  desk.setDraft('inc-1', 'Half a thought');
  await shows({ lock: { ...unlocked, locked: true, username: 'ann' } });
  await shows({ session: sessionOf('open', 'ben'), lock: unlocked });
  expect(desk.drafts).toEqual({});
});
