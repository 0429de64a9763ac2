import { makeFailure } from '../../../src-main/core/base/failure.ts';
import { storageFailure } from '../../../src-main/core/vault/storageFailure.ts';
import { message } from '../../../src-main/core/base/messages/message.ts';
import {
  offline,
  proxyAsks,
  recorded,
  recordedNow,
  throttled,
  unreachable,
  working,
  type Change,
  type GalleryState,
} from '../states.ts';

const minute = 60_000;
const shows = ['SessionNotice'];
const trouble = (name: string, change: Change, where = shows): GalleryState =>
  working('Troubles', name, { change, shows: where });
const tokensRefused = makeFailure({
  code: 'tokens-refused',
  status: 401,
  requestId: 'trn-401',
  at: recordedNow,
});
const rejected = (code: 'bad-credentials' | 'not-granted' | 'session-rejected', status: number): Change => ({
  session: {
    session: {
      state: 'rejected',
      failure: makeFailure({ code, status, at: recordedNow, requestId: `trn-${String(status)}` }),
    },
  },
});
const notGranted = makeFailure({
  code: 'not-granted',
  status: 403,
  requestId: 'trn-403',
  at: recordedNow,
  words: 'The scope incidents:read is missing.',
});
const inMemory = makeFailure({ code: 'storage-failed', at: recordedNow });
const storage = recorded.workspace.slices.storage!;
const older = message('vault.rollback.older');

export const troubleStates: readonly GalleryState[] = [
  {
    ...trouble('disconnected from the console', {}),
    // Lost only once all is there that it takes away.
    steps: [{ see: '[role=option]' }, { see: '.status__sound' }],
    host: 'lost',
  },
  trouble('handover taken', {
    handovers: {
      taken: {
        id: 'e'.repeat(32),
        givenAt: recordedNow - 480 * minute,
        by: 'b.okafor',
        at: recordedNow - 420 * minute,
      },
    },
  }),
  trouble('tokens refused', {
    session: { session: { state: 'tokens-refused', failure: tokensRefused, until: recordedNow + 90_000 } },
    incidents: { freshness: 'stale', failure: tokensRefused },
    health: { freshness: 'stale' },
  }),
  trouble('access revoked', { ...rejected('not-granted', 403), incidents: { freshness: 'stale' } }),
  trouble('password changed', { ...rejected('bad-credentials', 401), incidents: { freshness: 'stale' } }),
  trouble('renewal waits', {
    session: {
      session: {
        state: 'waiting',
        reason: unreachable,
        until: recordedNow + 12_000,
        expiresAt: recordedNow - minute,
      },
    },
    incidents: { freshness: 'stale', failure: unreachable },
  }),
  trouble('a proxy asks', { ...offline, ...proxyAsks }),
  trouble('signed in offline', {
    session: { session: { state: 'none', ended: 'never-started' } },
    ...offline,
    incidents: { ...offline.incidents, lastReadAt: recordedNow - 42 * minute },
  }),
  trouble('sign in again', {
    ...rejected('session-rejected', 401),
    incidents: { freshness: 'stale' },
  }),
  trouble('coordination unreachable', {
    connection: { coordination: { state: 'offline', since: recordedNow - minute, failure: unreachable } },
    missions: { failure: unreachable, freshness: 'stale', blocked: unreachable },
  }),
  trouble('everything throttled', {
    incidents: {
      freshness: 'stale',
      failure: { ...throttled, retryAt: recordedNow + 5 * minute },
      nextReadAt: recordedNow + 5 * minute,
    },
    health: { failure: throttled },
  }),
  trouble('kept in memory only', { storage: { ...storage, keeping: 'memory', problem: inMemory } }),
  trouble('full disk', {
    storage: { ...storage, keeping: 'memory', problem: storageFailure('full', recordedNow) },
  }),
  trouble('read-only disk', {
    ...offline,
    session: { session: { state: 'none', ended: 'never-started' } },
    storage: { ...storage, keeping: 'memory', problem: storageFailure('read-only', recordedNow) },
  }),
  trouble('older data put back', {
    storage: { ...storage, notice: { at: recordedNow, sentence: older } },
    missions: {
      audit: {
        count: 43,
        state: 'damaged',
        problem: 'The list was found damaged before; an entry says what was found.',
      },
    },
  }),
  trouble('clock differs', { time: { skewMs: 7 * minute } }, ['StatusBar']),
  trouble('time unverified', { time: { verified: false, skewMs: null } }, ['StatusBar']),
  trouble(
    'incidents not granted',
    {
      incidents: { failure: notGranted },
      capabilities: {
        refused: [
          { api: 'infrastructure', operation: 'GET /incidents', resource: '/incidents', failure: notGranted },
        ],
      },
    },
    ['IncidentsPanel'],
  ),
  trouble(
    'incidents unreadable',
    {
      incidents: {
        unreadable: {
          count: 3,
          examples: [
            { json: '{"id":null,"severity":"critical"}', reason: { id: 'record.noId', values: {} } },
          ],
        },
      },
    },
    ['IncidentsPanel'],
  ),
  trouble('answered by something else', {
    connection: {
      infrastructure: {
        state: 'offline',
        since: recordedNow - minute,
        failure: makeFailure({ code: 'answered-by-something-else', status: 302, at: recordedNow }),
      },
    },
    incidents: {
      freshness: 'stale',
      failure: makeFailure({ code: 'answered-by-something-else', status: 302, at: recordedNow }),
    },
  }),
  working('Troubles', 'sign in again, form', {
    change: rejected('session-rejected', 401),
    steps: [{ press: '.notice .button--small:last-child, .notice__action .button' }, { see: '.again' }],
    shows: ['SessionNotice 2'],
  }),
  working('First minutes', 'tour offered', {
    change: { preferences: { tourDone: false } },
    shows: ['TourOffer'],
  }),
];
