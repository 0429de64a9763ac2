import {
  failed,
  ok,
  type DroneDetail,
  type DronesRead,
  type DronesState,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../src-main/core/base/failure.ts';
import type { Answers } from '../standIn.ts';
import { panelOf, recorded, recordedNow, type Change, type GalleryState } from '../states.ts';

const minute = 60_000;
/** Where the drones of these states fly, and how near the map looks. */
const place = { longitude: 16.37, latitude: 48.2 };
const camera = { ...place, zoom: 10.6 };

/** So many drones in circles around a place; each fifth says no heading, each seventh is silent. */
export function dronesAround(
  count: number,
  nameOf: (number: number) => string = (number) => `drone-${String(number).padStart(2, '0')}`,
): DronesRead {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const at = (number: number): number =>
    recordedNow - (number % 7 === 0 ? 2 * minute + number * 1_000 : (number % 4) * 1_000);
  /** Where one was some steps ago. */
  const spot = (number: number, ago: number) => {
    const turn = number * 2.4 - ago * 0.06;
    const far = 0.03 + 0.16 * Math.sqrt((number % 100) / 100) + 0.0004 * number;
    return {
      longitude: place.longitude + 1.5 * far * Math.sin(turn),
      latitude: place.latitude + far * Math.cos(turn),
    };
  };
  const trail = numbers.flatMap((number, drone) =>
    Array.from({ length: 12 }, (_, step) => ({
      drone,
      at: at(number) - (12 - step) * 10_000,
      ...spot(number, 12 - step),
    })),
  );
  const spots = numbers.map((number) => spot(number, 0));
  return {
    version: 1,
    complete: true,
    more: false,
    ids: numbers.map(nameOf),
    latitudes: spots.map(({ latitude }) => latitude),
    longitudes: spots.map(({ longitude }) => longitude),
    altitudes: numbers.map((number) => (number % 6 === 0 ? null : 60 + number)),
    headings: numbers.map((number) => (number % 5 === 0 ? null : Math.round(90 + number * 137.5) % 360)),
    speeds: numbers.map((number) => (number % 6 === 0 ? null : 4 + (number % 9) * 1.5)),
    at: numbers.map(at),
    missionIds: numbers.map(() => null),
    incidentIds: numbers.map(() => null),
    trail: {
      drones: trail.map(({ drone }) => drone),
      latitudes: trail.map(({ latitude }) => latitude),
      longitudes: trail.map(({ longitude }) => longitude),
      at: trail.map((point) => point.at),
    },
    gone: [],
  };
}

/** Where nothing else is on the map: one that came from the west, one north of it that flies south, and a silent one. */
const sea = { longitude: -38, latitude: 28 };
export const seaZoom = 10;
/** How far north and south of the middle the other two are, degrees. */
export const seaApart = 0.07;
const atSea: DronesRead = {
  ...dronesAround(3, (number) => ['east', 'south', 'silent'][number - 1] ?? ''),
  longitudes: [sea.longitude, sea.longitude, sea.longitude],
  latitudes: [sea.latitude, sea.latitude + seaApart, sea.latitude - seaApart],
  headings: [90, 180, null],
  // Late enough not to fall silent while a slow machine looks at them.
  at: [recordedNow + 5 * minute, recordedNow + 5 * minute, recordedNow - 3 * minute],
  trail: {
    drones: [0, 0, 0],
    longitudes: [-0.12, -0.08, -0.04].map((west) => sea.longitude + west),
    latitudes: [sea.latitude, sea.latitude, sea.latitude],
    at: [30, 20, 10].map((ago) => recordedNow - ago * 1_000),
  },
};

const missions = recorded.workspace.slices.missions!.missions;
const incidentIds = Object.values(recorded.details).slice(0, 1);
const cids = recorded.evidence.items.flatMap(({ cid }) => (cid === null ? [] : [cid]));
export const droneDetail: DroneDetail = {
  kind: 'telemetry.position',
  fields: [
    { name: 'drone_id', json: '"drone-02"' },
    { name: 'battery_percent', json: '71' },
    { name: 'location', json: '{"latitude":48.2,"longitude":16.37}' },
  ],
  missionIds: [...missions.slice(0, 1).map(({ id }) => id), 'ms-not-here-1'],
  incidentIds: incidentIds.map(({ id }) => id),
  cids: cids.slice(0, 6),
  evidence: 9,
};

export const answersOf = (read: DronesRead): Partial<Answers> => ({
  readDrones: () => ok(read),
  readDrone: () => ok(droneDetail),
});
export const knownDrones = (read: DronesRead, change: Partial<DronesState> = {}): Change => ({
  drones: {
    source: 'auto',
    version: read.version,
    received: 4_000,
    known: read.ids.length,
    silent: Math.floor(read.ids.length / 7),
    forgotten: 0,
    empty: null,
    ...change,
  },
});

const few = dronesAround(12);
const looking: Change = {
  workspace: {
    layout: { ...recorded.workspace.slices.workspace!.layout, camera },
  },
};
const state = (what: string, change: Change, more: Partial<GalleryState> = {}): GalleryState => ({
  ...panelOf('drones', { change: { ...looking, ...change }, shows: ['DronesPanel'] }, `drones, ${what}`),
  ...more,
});
const withSome = (
  what: string,
  {
    read = few,
    known = {},
    change = {},
    steps = [],
  }: {
    readonly read?: DronesRead;
    readonly known?: Partial<DronesState>;
    readonly change?: Change;
    readonly steps?: GalleryState['steps'];
  } = {},
): GalleryState => {
  const made = state(what, { ...knownDrones(read, known), ...change }, { steps });
  return { ...made, answers: { ...made.answers, ...answersOf(read) } };
};
const empty = (why: NonNullable<DronesState['empty']>): GalleryState =>
  state(why, { drones: { ...knownDrones(few).drones, known: 0, silent: 0, received: 0, empty: why } });
const away: Change = {
  events: {
    ...recorded.workspace.slices.events!,
    state: 'waiting',
    since: recordedNow,
    until: recordedNow + 8_000,
  },
};
const choose = (row: number) => ({ press: `.drones-list [role="row"]:nth-child(${String(row)})` });
const longName = (number: number): string =>
  number === 1
    ? 'الطائرة-المسيّرة-رقم-واحد'
    : `Reconnaissance-and-relay-aircraft-of-the-northern-sector-${number}`;
const hiddenName = (number: number): string => `d\u0435liver\u200b-${number}\u202e`;

export const droneStates: readonly GalleryState[] = [
  withSome('known'),
  withSome('chosen', { steps: [choose(2), { see: '.drone-card .links' }] }),
  withSome('silent one chosen', { steps: [choose(7), { see: '.drone-card__silent' }] }),
  withSome('followed', {
    steps: [
      choose(2),
      { see: '.drone-card' },
      { press: '.drone-card__actions > :last-child' },
      { see: '.drone-bar' },
    ],
  }),
  withSome('many', { read: dronesAround(1_000), known: { forgotten: 12 } }),
  withSome('long names', { read: dronesAround(5, longName), steps: [choose(2)] }),
  withSome('hidden characters', { read: dronesAround(5, hiddenName), steps: [choose(2)] }),
  withSome('live events away', { change: away }),
  withSome('at sea', {
    read: atSea,
    known: { silent: 1 },
    change: {
      workspace: {
        layout: { ...recorded.workspace.slices.workspace!.layout, camera: { ...sea, zoom: seaZoom } },
      },
    },
  }),
  withSome('without a station', {
    change: { workspace: { ...looking.workspace, station: null } },
    steps: [choose(1), { see: '.drone-card' }],
  }),
  {
    ...withSome('console lost', { steps: [{ see: '.drones-list [role="row"]' }, { see: '.status__sound' }] }),
    host: 'lost',
  },
  state('loading', knownDrones(few), {
    answers: { readDrones: () => failed(makeFailure({ code: 'internal', at: recordedNow })) },
  }),
  ...(['off', 'no-stream', 'stream-away', 'none-left'] as const).map(empty),
];
