import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import type { ConsoleState } from '../../../../src-preload/contract/index.ts';
import { useNotes } from '../../../../src-renderer/features/notes/notesStore.ts';
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
  /** The store of who is signed in now. */
  const notes = () => page.run(() => useNotes());
  notes();
  let revision = 0;
  /** A snapshot: what is not in it is withheld. */
  const shows = async (slices: Partial<ConsoleState>): Promise<void> => {
    revision += 1;
    page.push({ epoch: 'a', revision, base: null, incidents: null, slices });
    await nextTick();
  };
  return { notes, shows };
}

it('words that are not saved outlast another selection, and go with a lock and with their operator', async () => {
  const { notes, shows } = open();
  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  notes().setDraft('inc-1', 'Half a thought');
  notes().setDraft('inc-2', 'Another');
  notes().setDraft('inc-2', '');
  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  expect(notes().drafts).toEqual({ 'inc-1': 'Half a thought' });
  // The page of a locked console starts again: nothing of what was shown stays in its memory.
  await shows({ lock: { ...unlocked, locked: true, username: 'ann' } });
  expect(notes().drafts).toEqual({});

  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  notes().setDraft('inc-1', 'Half a thought');
  await shows({ session: sessionOf('closed', null), lock: unlocked });
  expect(notes().drafts).toEqual({});
});

it('nothing of one operator’s words is there for the next, whatever was seen in between', async () => {
  const { notes, shows } = open();
  await shows({ session: sessionOf('open', 'ann'), lock: unlocked });
  notes().setDraft('inc-1', 'Half a thought');
  await shows({ lock: { ...unlocked, locked: true, username: 'ann' } });
  await shows({ session: sessionOf('open', 'ben'), lock: unlocked });
  expect(notes().drafts).toEqual({});
});
