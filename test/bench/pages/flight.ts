import type { DronesRead } from '../../../src-preload/contract/index.ts';
import { watchStalls } from './api.ts';

/** Where the drones of the bench fly: all of them in view at this zoom, and near enough to have names. */
export const flightCamera = { longitude: 16, latitude: 48, zoom: 10 };
/** How often each says where it is, and how often that is a point of its trail; milliseconds. */
export const reportMs = 200;
const trailEveryReports = 25;

/** Where a drone is after so many reports; all move with every one. */
export function spotOf(drone: number, report: number): readonly [longitude: number, latitude: number] {
  const turn = drone * 2.4 + report * 0.004;
  const far = 0.025 + 0.15 * Math.sqrt((drone % 1_000) / 1_000);
  return [flightCamera.longitude + 1.5 * far * Math.sin(turn), flightCamera.latitude + far * Math.cos(turn)];
}

/** What the console answers after so many reports of each drone. */
export function flightRead(count: number, report: number): DronesRead {
  const drones = Array.from({ length: count }, (_, drone) => drone);
  const spots = drones.map((drone) => spotOf(drone, report));
  const grown = drones.filter((drone) => (drone + report) % trailEveryReports === 0);
  const empty = drones.map(() => null);
  return {
    version: report,
    complete: false,
    more: false,
    ids: drones.map((drone) => `drone-${String(drone)}`),
    longitudes: spots.map(([longitude]) => longitude),
    latitudes: spots.map(([, latitude]) => latitude),
    altitudes: empty,
    headings: drones.map((drone) => (drone * 137 + report) % 360),
    speeds: empty,
    at: drones.map(() => report * reportMs),
    missionIds: empty,
    incidentIds: empty,
    trail: {
      drones: grown,
      longitudes: grown.map((drone) => spots[drone]?.[0] ?? 0),
      latitudes: grown.map((drone) => spots[drone]?.[1] ?? 0),
      at: grown.map(() => report * reportMs),
    },
    gone: [],
  };
}

export interface Flown {
  /** From one frame to the next, milliseconds. */
  readonly frames: readonly number[];
  readonly stallMs: number;
}

/** Before anything is counted: the map comes to its place, and what is drawn for the first time is made. */
const warmUpMs = 5_000;

/** Reports at their pace, or none for an idle page, and how the page's thread and its frames fared for so long. */
export async function fly(ms: number, report: ((number: number) => void) | null): Promise<Flown> {
  let number = 0;
  const timer = setInterval(() => {
    number += 1;
    report?.(number);
  }, reportMs);
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  const frames: number[] = [];
  let last: number | null = null;
  let flying = true;
  const frame = (now: number): void => {
    if (last !== null) frames.push(now - last);
    last = now;
    if (flying) requestAnimationFrame(frame);
  };
  const stalls = watchStalls();
  requestAnimationFrame(frame);
  await new Promise((resolve) => setTimeout(resolve, ms));
  clearInterval(timer);
  flying = false;
  return { frames, stallMs: stalls() };
}
