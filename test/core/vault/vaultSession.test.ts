import { expect, it } from 'vitest';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { createMemoryVault } from '../../../src-main/core/vault/memoryVault.ts';
import type { VaultOpening } from '../../../src-main/core/vault/vaultRepository.ts';
import { VaultSession, type VaultSessionOptions } from '../../../src-main/core/vault/vaultSession.ts';
import { failed, ok } from '../../../src-preload/contract/index.ts';
import { message } from '../../../src-main/core/base/messages/message.ts';
import { createFeatureRig } from '../featureRig.ts';

const never = (): never => {
  throw new Error('Not asked for here');
};

/** A session over a disk that answers `opening` when the test says so. */
function slowSession(opening: VaultOpening) {
  const rig = createFeatureRig();
  const gate = Promise.withResolvers<void>();
  const made: string[] = [];
  let opened = 0;
  const repository: VaultSessionOptions['repository'] = {
    open: async () => {
      opened += 1;
      await gate.promise;
      return opening;
    },
    create: (username) => {
      made.push(username);
      return Promise.resolve(failed(makeFailure({ code: 'storage-failed', at: 0 })));
    },
    summaries: () => Promise.resolve([]),
    setAside: never,
    erase: () => Promise.resolve(ok(null)),
  };
  const session = new VaultSession({
    ...rig,
    repository,
    memory: createMemoryVault(rig),
    isOnline: () => true,
    onReopened: never,
    onLeaving: () => Promise.resolve(),
    onLeft: () => undefined,
  });
  return {
    session,
    made,
    opened: () => opened,
    answer: gate.resolve,
    keeping: () => rig.store.slice('storage').keeping,
  };
}

it('begins no vault that was left while it was looked whether there is one', async () => {
  const { session, made, answer, keeping } = slowSession({ kind: 'none' });
  const entered = session.open('ann', 'secret');
  await Promise.resolve();
  session.leave();
  answer();
  await entered;
  await session.settled();
  expect(made).toEqual([]);
  expect(keeping()).toBe('nothing');
  expect(await session.matches('secret')).toBe(false);
});

it('does not go on in memory where the vault was left while the disk failed', async () => {
  const failure = makeFailure({ code: 'storage-failed', at: 0 });
  const { session, answer, keeping } = slowSession({ kind: 'unusable', failure });
  const entered = session.open('ann', 'secret');
  await Promise.resolve();
  session.leave();
  answer();
  await entered;
  expect(keeping()).toBe('nothing');
  expect(await session.matches('secret')).toBe(false);
});

it('is tried again at once where another vault made room', async () => {
  const failure = makeFailure({ code: 'storage-failed', at: 0, sentence: message('storage.full.sentence') });
  const { session, answer, opened, keeping } = slowSession({ kind: 'unusable', failure });
  answer();
  await session.open('ann', 'secret');
  expect(keeping()).toBe('memory');
  expect(opened()).toBe(1);
  await session.erase('another');
  expect(opened()).toBe(2);
  session.leave();
  await session.settled();
});
