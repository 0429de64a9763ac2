import { failed } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import {
  locked,
  offline,
  recorded,
  recordedNow,
  atDoor,
  working,
  workspaceSlices,
  type Change,
  type Difference,
  type GalleryState,
} from '../states.ts';
import { slowLine } from './overlays.ts';

const view = recorded.workspace.slices.workspace!.views[0]!;
const policy = {
  source: 'machine' as const,
  path: '/etc/field-console/policy.json',
  kiosk: 'operator' as const,
  fixed: ['kiosk' as const],
  exports: false,
  drop: false,
};
const withCode: Change = { policy: { ...policy, leave: { code: true, throttledUntil: null } } };
const throttled: Change = {
  policy: { ...policy, leave: { code: true, throttledUntil: recordedNow + 60_000 } },
};
const leave = { press: '.leave__button' };
const dialog = ['LeaveKiosk'];

const kiosk = (name: string, difference: Difference): GalleryState => working('Kiosk', name, difference);
const wall = (name: string, { change = {}, ...difference }: Difference): GalleryState =>
  working('Wallboard', name, {
    shows: ['WallboardView', 'WallCounts', 'WallLists', 'WallFoot'],
    ...difference,
    change: { ...change, policy: { ...policy, kiosk: 'wallboard' } },
  });

const twoAlarms: Change = {
  alarms: {
    ...workspaceSlices.alarms!,
    active: workspaceSlices.alarms!.active.flatMap((alarm) => [
      alarm,
      {
        ...alarm,
        id: '0123456789abcdef',
        kind: 'incident' as const,
        severity: 'medium',
        level: 1,
        count: 1,
        at: recordedNow - 42 * 60_000,
        sentence: {
          id: 'alarm.new',
          values: {
            heading: 'Medium',
            type: 'flood',
            place: { id: 'place.away.nw', values: { km: 12, town: 'Vienna, AT', 'town.es': 'Viena, AT' } },
          },
        },
      },
    ]),
  },
  siren: workspaceSlices.siren!,
};

export const kioskStates: readonly GalleryState[] = [
  kiosk('kiosk', { change: { policy }, shows: ['WorkspaceRail'] }),
  kiosk('leave kiosk', { change: { policy }, steps: [leave, { see: '.code' }], shows: dialog }),
  kiosk('leave kiosk, code', { change: withCode, steps: [leave, { see: '#leave-code' }], shows: dialog }),
  kiosk('leave kiosk, throttled', {
    change: throttled,
    steps: [leave, { see: '.code__wait' }],
    shows: dialog,
  }),
  kiosk('leave kiosk, wrong code', {
    change: withCode,
    answers: { leaveKiosk: () => failed(makeFailure({ code: 'wrong-password', at: recordedNow })) },
    steps: [
      leave,
      { type: 'made-up', into: '#leave-code' },
      { press: '.code [type="submit"]' },
      { see: '.code [role="alert"]' },
    ],
    shows: dialog,
  }),
  kiosk('ended', {
    change: { policy },
    steps: [leave, { press: '.code [type="submit"]' }],
    shows: ['EndedPage'],
  }),
  { ...atDoor('sign in, kiosk', { change: { policy }, shows: ['SignInPage'] }), group: 'Kiosk' },
  {
    ...locked('locked, kiosk', null),
    group: 'Kiosk',
    slices: {
      ...locked('', null).slices,
      policy: { ...recorded.workspace.slices.policy!, ...policy },
    },
    shows: ['LockPage'],
  },
  wall('wallboard, data saved', { change: { line: { ...slowLine, saving: true } } }),
  wall('wallboard', { shows: ['WallboardView', 'WallCounts', 'WallLists', 'WallLists 2', 'WallFoot'] }),
  wall('wallboard, views', {
    change: { workspace: { views: [view, { ...view, id: `${view.id.slice(0, -1)}0`, name: 'North' }] } },
  }),
  wall('wallboard, changes', {
    change: { lastHour: { since: recordedNow - 90 * 60_000, came: 12, rose: 3, resolved: 27 } },
  }),
  wall('wallboard, changes since a start', {
    change: {
      lastHour: {
        since: recordedNow - 42 * 60_000,
        came: 1,
        rose: 1,
        resolved: 1,
        unreadMinutes: 25,
      },
      workspace: { views: [{ ...view, severities: ['critical'] }] },
    },
  }),
  wall('wallboard, alarm', {
    change: { alarms: workspaceSlices.alarms!, siren: workspaceSlices.siren! },
    shows: ['WallNotices'],
  }),
  wall('wallboard, two alarms', { change: twoAlarms, shows: ['WallNotices', 'WallNotices 2'] }),
  wall('wallboard, two alarms, offline', {
    change: {
      ...offline,
      ...twoAlarms,
      lastHour: { since: recordedNow - 90 * 60_000, came: 12, rose: 3, resolved: 27 },
    },
    shows: ['WallNotices', 'WallNotices 2', 'WallNotices 3'],
  }),
  wall('wallboard, offline', { change: offline, shows: ['WallNotices 3'] }),
  wall('wallboard, signed out by the service', {
    change: {
      session: {
        session: {
          state: 'rejected',
          failure: makeFailure({ code: 'session-rejected', status: 401, at: recordedNow }),
        },
      },
    },
    shows: ['WallNotices 3'],
  }),
];
