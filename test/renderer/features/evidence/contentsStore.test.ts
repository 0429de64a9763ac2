import { afterEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { ok, type ConsoleState } from '../../../../src-preload/contract/index.ts';
import { useMirror } from '../../../../src-renderer/base/stores/mirror.ts';
import { useContents } from '../../../../src-renderer/features/evidence/contentsStore.ts';
import { createPage } from '../../pageRig.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const unlocked = { locked: false, username: null, deploymentName: null, throttledUntil: null };
const states: Record<'open' | 'locked', Partial<ConsoleState>> = {
  open: {
    session: { vault: 'open', username: 'ann', session: { state: 'active', expiresAt: 1 } },
    lock: unlocked,
  },
  locked: { lock: { ...unlocked, locked: true, username: 'ann' } },
};

it('gives the small pictures of evidence back when the console is locked', async () => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('picture')));
  const close = vi.fn();
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ close }));
  const page = createPage({
    openContent: () => Promise.resolve(ok({ ticket: 'a', kind: 'picture', bytes: 7 } as never)),
    closeContent: () => Promise.resolve(ok(null)),
  });
  page.run(() => useMirror());
  page.push({ epoch: 'a', revision: 1, base: null, incidents: null, slices: states.open });
  const { pictures } = page.run(() => useContents());
  const made = await new Promise((resolve) => {
    pictures.ask('cid', resolve);
  });
  expect(made).not.toBeNull();
  expect(close).not.toHaveBeenCalled();
  page.push({ epoch: 'a', revision: 2, base: null, incidents: null, slices: states.locked });
  await nextTick();
  expect(close).toHaveBeenCalledOnce();
});
