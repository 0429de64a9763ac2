import { expect, it } from 'vitest';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { message } from '../../../src-main/core/base/messages/message.ts';
import { createServerTime } from '../../../src-main/core/base/serverTime.ts';
import type { LoginOutcome } from '../../../src-main/core/service/session/loginOutcome.ts';
import { OperatorSession } from '../../../src-main/core/service/session/operatorSession.ts';
import type { AttemptVaultOptions } from '../../../src-main/core/vault/attemptVault.ts';
import type { OpenVault } from '../../../src-main/core/vault/openVault.ts';
import type { VaultRecords } from '../../../src-main/core/vault/records.ts';
import type { VaultOpening } from '../../../src-main/core/vault/vaultRepository.ts';
import type { VaultPort } from '../../../src-main/core/vault/vaultPort.ts';
import { VaultSession } from '../../../src-main/core/vault/vaultSession.ts';
import { failed, ok, type Result } from '../../../src-preload/contract/index.ts';
import { flush } from '../../support/clock.ts';
import { cheapHasher } from '../../support/ports.ts';
import { createQuestions } from '../../support/questions.ts';
import { createFeatureRig } from '../featureRig.ts';
import { createTestGuesses } from '../service/transport/service.ts';

const never = (): never => {
  throw new Error('Not asked for here');
};

/** Records that only open and close. */
class EmptyRecords implements VaultRecords {
  readonly lost = null;
  readonly rollback = null;
  readonly auditKey = new Uint8Array(32);
  isClosed = false;
  get store(): never {
    return never();
  }
  get spool(): never {
    return never();
  }
  get contents(): never {
    return never();
  }
  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

/** An operator's session on a disk that answers when the test says so. `stores`: whether there is a disk. */
function slowDisk({ stores = true } = {}) {
  const rig = createFeatureRig();
  const opening = createQuestions<VaultOpening>();
  const making = createQuestions<Result<OpenVault>>();
  const records = createQuestions<Result<VaultRecords>>();
  const temporary = createQuestions<VaultRecords>();
  const closing = createQuestions<undefined>();
  const loading = createQuestions<undefined>();
  const deriving = createQuestions<undefined>();
  const gates = { derives: false };
  let answer: LoginOutcome['kind'] = 'granted';
  const vaultOf = (id: string): OpenVault => ({
    id,
    cache: {
      load: async () => {
        await loading.ask(id);
        return ok({ incidents: 0, damaged: 2, older: false });
      },
      write: () => Promise.resolve(ok(null)),
      document: () => Promise.resolve(ok(null)),
      size: () => Promise.resolve(ok({ incidents: 0, bytes: 7 })),
    },
    notice: null,
    matches: () => Promise.resolve(true),
    reseal: never,
    openRecords: () => records.ask(id),
    noteSync: () => Promise.resolve(),
    close: () => closing.ask(id),
  });
  const repository: AttemptVaultOptions['repository'] = {
    open: (username) => opening.ask(username),
    create: (username) => making.ask(username),
    summaries: () => Promise.resolve([]),
    setAside: never,
    erase: () => Promise.resolve(ok(null)),
  };
  let reopened = 0;
  const vaults = new VaultSession({
    ...rig,
    repository: stores ? repository : null,
    records: { ...rig.records, openTemporary: () => temporary.ask('temporary') },
    hasher: {
      ...cheapHasher,
      derive: async (...given) => {
        if (gates.derives) await deriving.ask('key');
        return cheapHasher.derive(...given);
      },
    },
    serverNow: () => rig.clock.wallNow(),
    isOnline: () => true,
    onReopened: () => {
      reopened += 1;
      return Promise.resolve();
    },
    onLeaving: () => Promise.resolve(),
  });
  const serverTime = createServerTime(rig);
  const failure = makeFailure({ code: 'unreachable', at: 0 });
  let port: VaultPort;
  const session = new OperatorSession({
    ...rig,
    serverTime,
    vaultFor: (attempt) => (port = vaults.enter(attempt)),
    guesses: createTestGuesses(rig.ports),
    forgetAfterMs: 8 * 3_600_000,
    login: () =>
      Promise.resolve(
        answer === 'granted'
          ? {
              kind: 'granted',
              token: 'token',
              expiresAt: serverTime.serverNow() + 3_600_000,
              lifetimeMs: 3_600_000,
              atElapsed: rig.clock.elapsed(),
            }
          : { kind: 'unanswered', failure },
      ),
  });
  return {
    ...{
      rig,
      session,
      vaults,
      opening,
      making,
      records,
      temporary,
      closing,
      loading,
      deriving,
      gates,
      vaultOf,
    },
    storage: () => rig.store.slice('storage'),
    reopened: () => reopened,
    matches: (password: string) => port.matches(password),
    /** Signs in, up to the first question to the disk. The promise is in an object, which `await` does not follow. */
    async asking(username: string, login: LoginOutcome['kind'] = 'granted') {
      answer = login;
      const result = session.signIn(username, 'secret');
      await flush();
      return { result };
    },
  };
}
type SlowDisk = ReturnType<typeof slowDisk>;

const cancelled = { ok: false, failure: { code: 'cancelled' } };
const broken = makeFailure({ code: 'storage-failed', at: 0 });
const full = makeFailure({ code: 'storage-failed', at: 0, sentence: message('storage.full.sentence') });

/** Signs in to a vault without records, which are asked for again after 30 s. */
async function withoutRecords(disk: SlowDisk): Promise<void> {
  const { result } = await disk.asking('ann');
  disk.opening.asked[0]?.answer({ kind: 'opened', vault: disk.vaultOf('of ann') });
  await flush();
  disk.records.asked[0]?.answer(failed(full));
  expect(await result).toMatchObject({ ok: true });
  expect(disk.storage()).toMatchObject({ keeping: 'disk', problem: full });
}

it('begins no vault that was left while it was looked whether there is one', async () => {
  const { session, vaults, opening, making, storage, matches, asking } = slowDisk();
  const { result } = await asking('ann');
  session.signOut();
  opening.asked[0]?.answer({ kind: 'none' });
  expect(await result).toMatchObject(cancelled);
  await vaults.settled();
  expect(making.asked).toEqual([]);
  expect(storage().keeping).toBe('nothing');
  expect(await matches('secret')).toBe(false);
});

it('does not go on in memory where the vault was left while the disk failed', async () => {
  const { session, opening, storage, matches, asking, rig } = slowDisk();
  const { result } = await asking('ann');
  session.signOut();
  opening.asked[0]?.answer({ kind: 'unusable', failure: full });
  expect(await result).toMatchObject(cancelled);
  expect(storage()).toMatchObject({ keeping: 'nothing', problem: null });
  expect(await matches('secret')).toBe(false);
  expect(rig.clock.pending()).toBe(0);
});

it('does not go on in memory where the vault was left while the key for that was derived', async () => {
  const { session, opening, deriving, storage, matches, asking, gates, rig } = slowDisk();
  const { result } = await asking('ann');
  gates.derives = true;
  opening.asked[0]?.answer({ kind: 'unusable', failure: full });
  await flush();
  session.signOut();
  gates.derives = false;
  deriving.asked[0]?.answer(undefined);
  expect(await result).toMatchObject(cancelled);
  expect(storage()).toMatchObject({ keeping: 'nothing', problem: null });
  expect(await matches('secret')).toBe(false);
  expect(rig.clock.pending()).toBe(0);
});

it('in memory the next operator unlocks with the password, whatever the one before still derives', async () => {
  const { session, opening, deriving, asking, gates } = slowDisk();
  const ann = await asking('ann');
  gates.derives = true;
  opening.asked[0]?.answer({ kind: 'unusable', failure: broken });
  await flush();
  session.signOut();
  gates.derives = false;
  const bob = await asking('bob');
  opening.asked[1]?.answer({ kind: 'unusable', failure: broken });
  expect(await bob.result).toMatchObject({ ok: true });
  deriving.asked[0]?.answer(undefined);
  expect(await ann.result).toMatchObject(cancelled);
  expect(session.lock()).toMatchObject({ ok: true });
  expect(await session.unlock('secret')).toMatchObject({ ok: true });
});

it.each(['granted', 'unanswered'] as const)(
  'opens nothing for a sign-in that ended while the vault before was closed: %s',
  async (login) => {
    const { session, vaults, opening, records, closing, asking, vaultOf } = slowDisk();
    const ann = await asking('ann');
    opening.asked[0]?.answer({ kind: 'opened', vault: vaultOf('of ann') });
    await flush();
    records.asked[0]?.answer(ok(new EmptyRecords()));
    expect(await ann.result).toMatchObject({ ok: true });
    session.signOut();
    const bob = await asking('bob', login);
    session.signOut();
    const carol = await asking('carol', login);
    expect(opening.asked).toHaveLength(1);
    closing.asked[0]?.answer(undefined);
    await flush();
    expect(await bob.result).toMatchObject(cancelled);
    expect(opening.asked.map(({ of }) => of)).toEqual(['ann', 'carol']);
    opening.asked[1]?.answer({
      kind: 'wrong-password',
      sealed: { incidents: 0, unsent: 0, lastSyncAt: null },
    });
    await carol.result;
    await vaults.settled();
  },
);

it('closes a vault that opens after its operator left, before another one opens', async () => {
  const { session, vaults, opening, records, closing, storage, asking, vaultOf } = slowDisk();
  const ann = await asking('ann');
  session.signOut();
  const bob = await asking('bob');
  opening.asked[0]?.answer({ kind: 'opened', vault: vaultOf('of ann') });
  await flush();
  expect(closing.asked.map(({ of }) => of)).toEqual(['of ann']);
  expect(opening.asked).toHaveLength(1);
  closing.asked[0]?.answer(undefined);
  expect(await ann.result).toMatchObject(cancelled);
  await flush();
  expect(opening.asked).toHaveLength(2);
  expect(records.asked).toEqual([]);
  expect(storage().keeping).toBe('nothing');
  expect(vaults.current.isOpen('of ann')).toBe(false);
  session.signOut();
  opening.asked[1]?.answer({ kind: 'none' });
  await bob.result;
});

it('closes records that open after their operator left, before the vault', async () => {
  const { session, vaults, opening, records, closing, storage, asking, vaultOf, rig } = slowDisk();
  const ann = await asking('ann');
  opening.asked[0]?.answer({ kind: 'opened', vault: vaultOf('of ann') });
  await flush();
  session.signOut();
  await flush();
  expect(closing.asked).toEqual([]);
  const late = new EmptyRecords();
  records.asked[0]?.answer(ok(late));
  expect(await ann.result).toMatchObject(cancelled);
  await flush();
  expect(late.isClosed).toBe(true);
  expect(vaults.current.records).toBeNull();
  expect(closing.asked).toHaveLength(1);
  closing.asked[0]?.answer(undefined);
  await vaults.settled();
  expect(storage()).toMatchObject({ keeping: 'nothing', problem: null });
  expect(rig.clock.pending()).toBe(0);
});

it('says nothing of records that fail after their operator left', async () => {
  const { session, opening, records, closing, storage, asking, vaultOf, rig } = slowDisk();
  const ann = await asking('ann');
  opening.asked[0]?.answer({ kind: 'opened', vault: vaultOf('of ann') });
  await flush();
  session.signOut();
  records.asked[0]?.answer(failed(full));
  expect(await ann.result).toMatchObject(cancelled);
  await flush();
  closing.asked[0]?.answer(undefined);
  expect(storage()).toMatchObject({ keeping: 'nothing', problem: null });
  expect(rig.clock.pending()).toBe(0);
});

it('closes temporary records that open after their operator left', async () => {
  const { session, vaults, temporary, asking } = slowDisk({ stores: false });
  const ann = await asking('ann');
  session.signOut();
  const late = new EmptyRecords();
  temporary.asked[0]?.answer(late);
  expect(await ann.result).toMatchObject(cancelled);
  await vaults.settled();
  expect(late.isClosed).toBe(true);
  expect(vaults.current.records).toBeNull();
});

it('opens no temporary records for an operator who left while the key was derived', async () => {
  const { session, vaults, temporary, deriving, asking, gates } = slowDisk({ stores: false });
  gates.derives = true;
  const { result } = await asking('ann');
  session.signOut();
  deriving.asked[0]?.answer(undefined);
  await flush();
  expect(temporary.asked).toEqual([]);
  expect(await result).toMatchObject(cancelled);
  await vaults.settled();
});

it('is tried again at once where another vault made room', async () => {
  const { session, vaults, opening, storage, asking } = slowDisk();
  const { result } = await asking('ann');
  opening.asked[0]?.answer({ kind: 'unusable', failure: full });
  expect(await result).toMatchObject({ ok: true });
  expect(storage().keeping).toBe('memory');
  expect(opening.asked).toHaveLength(1);
  const erased = vaults.erase('another');
  await flush();
  expect(opening.asked).toHaveLength(2);
  opening.asked[1]?.answer({ kind: 'unusable', failure: full });
  expect(await erased).toMatchObject({ ok: true });
  session.signOut();
  await vaults.settled();
});

it.each(['opened', 'none', 'unusable'] as const)(
  'a vault that is tried again changes nothing once its operator left: %s',
  async (kind) => {
    const { session, vaults, opening, making, closing, storage, asking, vaultOf, rig, ...disk } = slowDisk();
    const { result } = await asking('ann');
    opening.asked[0]?.answer({ kind: 'unusable', failure: full });
    await result;
    await rig.clock.advance(30_000);
    expect(opening.asked).toHaveLength(2);
    session.signOut();
    const answers = {
      opened: { kind: 'opened', vault: vaultOf('of ann') },
      none: { kind: 'none' },
      unusable: { kind: 'unusable', failure: full },
    } as const;
    opening.asked[1]?.answer(answers[kind]);
    await flush();
    expect(closing.asked).toHaveLength(kind === 'opened' ? 1 : 0);
    closing.asked[0]?.answer(undefined);
    await vaults.settled();
    expect(making.asked).toEqual([]);
    expect(storage()).toMatchObject({ keeping: 'nothing', problem: null });
    expect(disk.reopened()).toBe(0);
    expect(rig.clock.pending()).toBe(0);
  },
);

it.each(['opened', 'failed'] as const)(
  'records that are tried again change nothing once their operator left: %s',
  async (kind) => {
    const disk = slowDisk();
    const { session, vaults, records, closing, storage, rig } = disk;
    await withoutRecords(disk);
    await rig.clock.advance(30_000);
    expect(records.asked).toHaveLength(2);
    session.signOut();
    await flush();
    expect(closing.asked).toEqual([]);
    const late = new EmptyRecords();
    records.asked[1]?.answer(kind === 'opened' ? ok(late) : failed(full));
    await flush();
    expect(late.isClosed).toBe(kind === 'opened');
    expect(vaults.current.records).toBeNull();
    closing.asked[0]?.answer(undefined);
    await vaults.settled();
    expect(storage()).toMatchObject({ keeping: 'nothing', problem: null });
    expect(disk.reopened()).toBe(0);
    expect(rig.clock.pending()).toBe(0);
  },
);

it('records that are tried again open, and the features begin again with them', async () => {
  const disk = slowDisk();
  await withoutRecords(disk);
  await disk.rig.clock.advance(30_000);
  const found = new EmptyRecords();
  disk.records.asked[1]?.answer(ok(found));
  await flush();
  expect(disk.vaults.current.records).toBe(found);
  expect(disk.storage().problem).toBeNull();
  expect(disk.reopened()).toBe(1);
});

it('says nothing of incidents that were read for an operator who left', async () => {
  const { session, vaults, opening, records, loading, closing, storage, asking, vaultOf } = slowDisk();
  const ann = await asking('ann');
  opening.asked[0]?.answer({ kind: 'opened', vault: vaultOf('of ann') });
  await flush();
  records.asked[0]?.answer(ok(new EmptyRecords()));
  await ann.result;
  const restoring = vaults.current.restore();
  await flush();
  session.signOut();
  loading.asked[0]?.answer(undefined);
  expect(await restoring).toBeNull();
  expect(storage()).toMatchObject({ notice: null, bytes: null });
  closing.asked[0]?.answer(undefined);
});
