import { getActivePinia } from 'pinia';
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import { failed, ok, type ConsoleState } from '../../../src-preload/contract/index.ts';
import { pageFailure } from '../../../src-renderer/base/failure.ts';
import { useCommands } from '../../../src-renderer/base/stores/commands.ts';
import { useMirror } from '../../../src-renderer/base/stores/mirror.ts';
import { useUi } from '../../../src-renderer/base/stores/ui.ts';
import { useAlarms } from '../../../src-renderer/features/alarms/alarmsStore.ts';
import { useEvidence } from '../../../src-renderer/features/evidence/evidenceStore.ts';
import { useMaps } from '../../../src-renderer/features/maps/mapsStore.ts';
import { useMissions } from '../../../src-renderer/features/missions/missionsStore.ts';
import { useNotes } from '../../../src-renderer/features/notes/notesStore.ts';
import { useSettings } from '../../../src-renderer/features/settings/settingsStore.ts';
import { useOutbox } from '../../../src-renderer/features/uploads/uploadsStore.ts';
import { useViews } from '../../../src-renderer/features/views/viewsStore.ts';
import { createPage } from '../pageRig.ts';

/** What only the first operator knows. */
const secret = 'ann-knows-this';
const unlocked = { locked: false, username: null, deploymentName: null, throttledUntil: null };
const of = (username: string): Partial<ConsoleState> => ({
  session: { vault: 'open', username, session: { state: 'active', expiresAt: 1 } },
  lock: unlocked,
});
const signedOut: Partial<ConsoleState> = {
  session: { vault: 'closed', username: null, session: { state: 'none' } } as ConsoleState['session'],
  lock: unlocked,
};
const locked: Partial<ConsoleState> = { lock: { ...unlocked, locked: true, username: 'ann' } };
const refusal = { ...pageFailure('file-refused', 'failures.folder', null), words: secret };

function page() {
  const refuse = () => Promise.resolve(failed(refusal));
  const rig = createPage({
    setAlarms: refuse,
    setPreferences: refuse,
    lookUpMission: () => Promise.resolve(ok(null)),
    decideMission: refuse,
    beginUpload: refuse,
    beginMapImport: refuse,
    renameView: refuse,
    renewSession: refuse,
  });
  const mirror = rig.run(() => useMirror());
  rig.run(() => useUi());
  let revision = 0;
  /** A snapshot: what is not in it is withheld. */
  const shows = async (slices: Partial<ConsoleState>): Promise<void> => {
    revision += 1;
    rig.push({ epoch: 'a', revision, base: null, incidents: null, slices });
    await nextTick();
  };
  const stores = () =>
    rig.run(() => ({
      ui: useUi(),
      commands: useCommands(),
      alarms: useAlarms(),
      evidence: useEvidence(),
      maps: useMaps(),
      missions: useMissions(),
      notes: useNotes(),
      outbox: useOutbox(),
      settings: useSettings(),
      views: useViews(),
    }));
  /** All that every store holds, sets and maps too. */
  const held = (): string =>
    JSON.stringify(getActivePinia()?.state.value ?? {}, (_key, value: unknown) =>
      value instanceof Set || value instanceof Map ? [...value] : value,
    );
  return { mirror, shows, stores, held };
}

const uiIn = (held: string): unknown => (JSON.parse(held) as { readonly ui: unknown }).ui;

/** The first operator at work: each store has something. */
async function work(stores: ReturnType<ReturnType<typeof page>['stores']>): Promise<void> {
  const { ui, commands, alarms, evidence, maps, missions, notes, outbox, settings, views } = stores;
  ui.search = secret;
  ui.recentActions = [secret];
  ui.look({ center: [16.37, 48.21], zoom: 9 } as never, { fly: true });
  evidence.showIncident(secret);
  evidence.incidentId = secret;
  notes.setDraft('inc-1', secret);
  outbox.attachedTo = secret;
  outbox.addFiles([new File(['x'], secret)]);
  await Promise.all([
    commands.renewSession(),
    alarms.setArea({ kind: 'everywhere' }),
    missions.lookUp(secret),
    missions.decide(secret, 'approved' as never, false),
    settings.set({ theme: 'day' }),
    maps.importFiles([new File(['x'], secret)]),
    views.rename('v-1', secret),
  ]);
}

it.each([
  ['signed out', signedOut],
  ['locked', locked],
])(
  'a console that is %s leaves nothing of an operator in a store, nor do the next one’s stores',
  async (_what, left) => {
    const { shows, stores, held } = page();
    await shows(of('ann'));
    const atStart = uiIn(held());
    const anns = stores();
    await work(anns);
    expect(held()).toContain(secret);
    expect([anns.alarms.failure, anns.settings.failure, anns.views.failure]).toEqual([
      refusal,
      refusal,
      refusal,
    ]);

    await shows(left);
    expect(held()).not.toContain(secret);
    expect(uiIn(held())).toEqual(atStart);
    expect(anns.commands.failures.page, 'the same store goes on').toBeNull();

    await shows(of('ben'));
    const bens = stores();
    expect(bens.missions).not.toBe(anns.missions);
    expect(bens.notes.drafts).toEqual({});
    expect(held()).not.toContain(secret);
  },
);

it('one account after another without a sign-out between leaves nothing either', async () => {
  const { mirror, shows, stores, held } = page();
  await shows(of('ann'));
  await work(stores());
  await shows(of('ben'));
  expect(mirror.account).toBe('ben');
  stores();
  expect(held()).not.toContain(secret);
});

it('what was asked in the name of one operator is not told to the next', async () => {
  const { shows, stores, held } = page();
  await shows(of('ann'));
  const late = stores().settings.set({ theme: 'day' });
  await shows(signedOut);
  await shows(of('ben'));
  const { settings } = stores();
  await late;
  expect(settings.failure).toBeNull();
  expect(held()).not.toContain(secret);
});

it('a change that is not of the account drops nothing', async () => {
  const { shows, stores } = page();
  await shows(of('ann'));
  const { notes } = stores();
  notes.setDraft('inc-1', secret);
  await shows({ ...of('ann'), events: undefined } as Partial<ConsoleState>);
  expect(stores().notes).toBe(notes);
});
