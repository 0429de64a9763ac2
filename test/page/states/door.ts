import { failed, ok } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { message } from '../../../src-main/core/base/messages/message.ts';
import {
  acknowledged,
  atDoor,
  locked,
  proxyAsks,
  recorded,
  recordedNow,
  unreachable,
  workspaceSlices,
  type GalleryState,
} from '../states.ts';

const hour = 3_600_000;
const wrongPassword = makeFailure({ code: 'wrong-password', at: recordedNow });
const proxyRefused = makeFailure({
  code: 'unreachable',
  at: recordedNow,
  sentence: message('api.proxyRefused', { proxy: 'http://proxy.example.org:3128' }),
});
const storage = recorded.signedOut.slices.storage!;
const vault = {
  id: 'v1',
  username: 'a.lindqvist',
  lastSyncAt: recordedNow - hour,
  unsent: 2,
  setAside: false,
};
const kept = {
  ...storage,
  vaults: [
    vault,
    { ...vault, id: 'v2', username: 'm.okafor', lastSyncAt: recordedNow - 40 * hour, unsent: 0 },
    { ...vault, id: 'v3', username: 'a.lindqvist', lastSyncAt: null, unsent: 1, setAside: true },
  ],
};
const harbour = {
  id: 'harbour',
  name: 'Harbour station',
  infrastructureHost: 'infrastructure.example.org',
  coordinationHost: 'coordination.example.org',
  source: 'added' as const,
};
const hidden = { ...harbour, id: 'hidden', name: 'HQ \u202elaer ton\u202c' };
const known = [harbour, { ...harbour, id: 'delta', name: 'Delta flood response, northern sector' }];
const proposal = {
  proposalId: 'p1',
  summary: harbour,
  infrastructureUrl: 'https://infrastructure.example.org',
  coordinationUrl: 'https://coordination.example.org',
  replacesSameOrigin: true,
};
const offline = { infrastructure: { state: 'offline' as const, since: recordedNow, failure: unreachable } };
const system = recorded.signedOut.slices.system!;
const previousPassword = {
  incidents: 1_707,
  unsent: 2,
  lastSyncAt: recordedNow - hour,
  throttledUntil: null,
};
const sealed = (throttledUntil: number | null) => ({
  session: {
    vault: 'sealed' as const,
    username: 'a.lindqvist',
    session: { state: 'active' as const, expiresAt: recordedNow + hour },
  },
  storage: { ...storage, previousPassword: { ...previousPassword, throttledUntil } },
});
const ended = (how: 'signed-out' | 'forgotten' | 'deployment-changed') =>
  atDoor(`sign in, ${how}`, {
    change: { session: { session: { state: 'none', ended: how } } },
    shows: ['SignInPage'],
  });

export const doorStates: readonly GalleryState[] = [
  // Nothing came from the console yet.
  { ...atDoor('starting', { shows: ['StartPage'] }), slices: {} },
  { ...atDoor('starting, refused', { shows: ['StartPage'] }), slices: {}, host: 'refused' },
  { ...atDoor('starting, silent', { shows: ['StartPage'] }), slices: {}, host: 'silent' },
  ended('signed-out'),
  ended('forgotten'),
  ended('deployment-changed'),
  atDoor('sign in, kept vaults', { change: { storage: kept }, shows: ['SignInPage 2'] }),
  atDoor('sign in, kept vaults, offline', {
    change: {
      storage: kept,
      connection: offline,
    },
    shows: ['SignInPage 2'],
  }),
  atDoor('kept vault, menu', {
    change: { storage: kept },
    steps: [{ press: '.vault [aria-haspopup]' }],
    shows: ['VaultList'],
  }),
  atDoor('kept vault, erase', {
    change: { storage: kept },
    steps: [{ press: '.vault [aria-haspopup]' }, { press: '.vault-menu .option' }],
    shows: ['EraseVaultDialog'],
  }),
  atDoor('sign in, cache set aside', {
    change: {
      storage: {
        ...storage,
        notice: {
          at: recordedNow,
          sentence: { text: 'What was stored on this computer could not be read and was set aside.' },
        },
      },
    },
    shows: ['SignInPage'],
  }),
  atDoor('sign in, start problem', {
    change: {
      app: { problem: makeFailure({ code: 'storage-failed', at: recordedNow }) },
    },
    shows: ['SignInPage'],
  }),
  ...(['waiting', 'closed', 'open'] as const).map((keyStore) =>
    atDoor(`sign in, key store ${keyStore}`, {
      change: { system: { ...system, keyStore } },
      shows: ['SignInPage'],
    }),
  ),
  atDoor('sign in, without graphics acceleration', {
    change: { system: { ...system, gpuOffSince: recordedNow - hour } },
    shows: ['SignInPage'],
  }),
  atDoor('sign in, after a crash', {
    change: { system: { ...system, brokeAt: recordedNow - 60_000 } },
    shows: ['SignInPage'],
  }),
  atDoor('sign in, upload token asked for', {
    change: { outbox: { uploadToken: 'missing' } },
    shows: ['SignInPage'],
  }),
  atDoor('sign in, no answer', {
    change: { connection: offline },
    answers: { signIn: () => failed(unreachable) },
    steps: [
      { type: 'operator', into: 'form input:not([type="password"])' },
      { type: 'made-up', into: 'form input[type="password"]' },
      { press: 'form [type="submit"]' },
      { see: '.card [role="alert"]' },
    ],
    shows: ['SignInPage'],
  }),
  atDoor('sign in, a proxy asks', { change: proxyAsks, shows: ['SignInPage'] }),
  atDoor('sign in, a proxy asks, form', {
    change: proxyAsks,
    answers: { signInToProxy: () => failed(proxyRefused) },
    steps: [{ press: '.card__proxy .button' }, { see: '.proxy-about' }],
    shows: ['ProxySignIn'],
  }),
  atDoor('sign in, throttled', {
    change: {
      session: {
        session: {
          state: 'rejected',
          failure: makeFailure({
            code: 'too-many-requests',
            status: 429,
            at: recordedNow,
            retryAt: recordedNow + 30_000,
          }),
        },
      },
    },
    shows: ['SignInPage'],
  }),
  atDoor('deployments', { change: { deployments: { known } }, shows: ['DeploymentChooser'] }),
  atDoor('deployments, hidden characters', {
    change: { deployments: { known: [hidden, harbour], chosen: 'hidden' } },
    shows: ['DeploymentChooser'],
  }),
  atDoor('deployment, hidden characters, question', {
    change: { deployments: { known, proposal: { ...proposal, summary: hidden } } },
    shows: ['DeploymentChooser 2'],
  }),
  atDoor('deployment, hidden characters, removal', {
    change: { deployments: { known: [hidden, harbour], chosen: 'hidden' } },
    steps: [{ press: '.deployments__item > .button--icon' }],
    shows: ['DeploymentChooser 3'],
  }),
  atDoor('deployments, none chosen', {
    change: { deployments: { known, chosen: null } },
    shows: ['DeploymentChooser'],
  }),
  atDoor('deployments, fixed by policy', {
    change: { policy: { source: 'machine', fixed: ['deployments'] } },
    shows: ['DeploymentChooser'],
  }),
  atDoor('deployment, question', {
    change: { deployments: { known, proposal } },
    shows: ['DeploymentChooser 2'],
  }),
  atDoor('deployment, removal', {
    change: { deployments: { known } },
    steps: [{ press: '.deployments__item > .button--icon' }],
    shows: ['DeploymentChooser 3'],
  }),
  atDoor('deployment, file refused', {
    answers: {
      proposeDeployment: () => failed(makeFailure({ code: 'deployment-invalid', at: recordedNow })),
    },
    steps: [
      { file: 'x.json', text: '{}', into: '.deployments input[type="file"]' },
      { see: '.deployments [role="alert"]' },
    ],
    shows: ['DeploymentChooser'],
  }),
  atDoor('diagnostics at sign-in', {
    answers: { readDiagnostics: () => ok(recorded.diagnostics), runSelfTest: () => ok(recorded.selfTest) },
    steps: [{ press: '.card__foot .link' }],
    shows: ['DiagnosticsAccess'],
  }),
  atDoor('previous password', { change: sealed(null), shows: ['SealedVaultPage'] }),
  atDoor('previous password, throttled', {
    change: sealed(recordedNow + 30_000),
    shows: ['SealedVaultPage'],
  }),
  atDoor('previous password, wrong', {
    change: sealed(null),
    answers: { openWithPrevious: () => failed(wrongPassword) },
    steps: [
      { type: 'made-up', into: '#previous-password' },
      { press: '.sealed [type=submit]' },
      { see: '.sealed [role="alert"]' },
    ],
    shows: ['SealedVaultPage'],
  }),
  atDoor('previous password, go on without', {
    change: sealed(null),
    steps: [{ press: '.sealed__others > :first-child' }],
    shows: ['SealedVaultPage 2'],
  }),
  {
    ...locked('locked, alarm', null),
    slices: {
      ...locked('', null).slices,
      siren: { ...workspaceSlices.siren!, unacknowledged: 3 },
    },
    shows: ['LockPage'],
  },
  {
    ...locked('locked, muted', null),
    slices: {
      ...locked('', null).slices,
      siren: { ...acknowledged.siren!, mutedUntil: recordedNow + hour },
    },
    shows: ['LockPage'],
  },
  {
    ...locked('locked, wrong password', null),
    answers: { unlock: () => failed(wrongPassword) },
    steps: [
      { type: 'made-up', into: '#unlock-password' },
      { press: '.lock [type=submit]' },
      { see: '.lock [role="alert"]' },
    ],
    shows: ['LockPage'],
  },
];
