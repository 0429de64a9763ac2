/**
 * Cutting rings and lines at the antimeridian. Drawn uncut, a ring that steps from 179 to -179
 * becomes a stripe across the whole map.
 *
 * A ring is first unwrapped (longitudes continue past 180 instead of jumping), closed over the pole
 * if it goes once around the world, and then clipped to each copy of the world that it touches.
 */

import type { Position } from 'geojson';

export type Point = readonly [lng: number, lat: number];
export type Line = readonly Point[];
/** Its outer ring, then its holes; each ring ends where it begins. */
export type Polygon = readonly Line[];

/** A line as GeoJSON has it, by longitude and latitude alone. */
export const lineOf = (positions: readonly Position[]): Line =>
  positions.map(([lng = NaN, lat = NaN]): Point => [lng, lat]);
export const polygonOf = (rings: readonly (readonly Position[])[]): Polygon => rings.map(lineOf);

export function cutPolygon(polygon: Polygon): readonly Polygon[] {
  // On the sphere Antarctica is a band between its coast and a ring of no size around the pole.
  const rings = polygon.filter((ring) => !atPole(ring)).map(unwrapRing);
  const [outer = [], ...holes] = rings;
  const copies = worldsOf(outer);
  return copies
    .map((world) => [
      clipToWorld(outer, world),
      ...holes.flatMap((hole) => worldsOf(hole).map((own) => clipToWorld(shift(hole, world - own), world))),
    ])
    .map((cut) => cut.filter((ring) => ring.length >= 4))
    .filter((cut) => cut.length > 0);
}

export function cutLine(line: Line): readonly Line[] {
  if (atPole(line)) return [];
  const parts: Line[] = [];
  let part: Point[] = [...line.slice(0, 1)];
  for (const [[fromLng, fromLat], [toLng, toLat]] of stepsOf(line)) {
    const jump = toLng - fromLng;
    if (Math.abs(jump) > 180) {
      const side = fromLng > 0 ? 180 : -180;
      const rest = 360 - Math.abs(jump);
      const share = rest === 0 ? 0 : Math.abs(side - fromLng) / rest;
      const lat = fromLat + (toLat - fromLat) * share;
      part.push([side, lat]);
      parts.push(part);
      part = [[-side, lat]];
    }
    part.push([toLng, toLat]);
  }
  parts.push(part);
  return parts.map(withoutRepeats).filter((points) => points.length >= 2);
}

export function roundLine(line: Line, decimals: number): Line | null {
  const rounded = withoutRepeats(
    line.map(([lng, lat]): Point => [round(lng, decimals), round(lat, decimals)]),
  );
  return rounded.length >= 2 ? rounded : null;
}

export function roundPolygon(polygon: Polygon, decimals: number): Polygon | null {
  const rings = polygon
    .map((ring) => roundLine(ring, decimals))
    .filter((ring) => ring !== null)
    .filter((ring) => ring.length >= 4);
  return rings.length > 0 ? rings : null;
}

/** Each point of a line but the last, with the next one. */
export const stepsOf = (line: Line): readonly (readonly [Point, Point])[] =>
  line.slice(1).map((to, at) => [line[at] ?? to, to]);

const atPole = (line: Line) => line.every(([, lat]) => Math.abs(lat) > 89.9);

const round = (value: number, decimals: number) => Number(value.toFixed(decimals)) + 0;

function withoutRepeats(points: Line): Line {
  return points.filter(([lng, lat], at) => {
    const before = points[at - 1];
    return before === undefined || lng !== before[0] || lat !== before[1];
  });
}

function unwrapRing(ring: Line): Line {
  let offset = 0;
  const unwrapped = ring.map(([lng, lat], at): Point => {
    const step = lng - (ring[at - 1]?.[0] ?? lng);
    if (step > 180) offset -= 360;
    else if (step < -180) offset += 360;
    return [lng + offset, lat];
  });
  const [first] = unwrapped;
  const last = unwrapped.at(-1);
  if (first === undefined || last === undefined) return unwrapped;
  if (Math.abs(last[0] - first[0]) < 180) return unwrapped;
  // Around the world once: Antarctica. The ring is closed along the pole it encloses.
  const pole = first[1] < 0 ? -90 : 90;
  const alongPole = [0, 0.25, 0.5, 0.75, 1].map((share): Point => [
    last[0] + (first[0] - last[0]) * share,
    pole,
  ]);
  return [...unwrapped, ...alongPole, first];
}

function worldsOf(ring: Line): readonly number[] {
  const lngs = ring.map(([lng]) => lng);
  const from = Math.floor((Math.min(...lngs) + 180) / 360);
  const to = Math.ceil((Math.max(...lngs) + 180) / 360);
  return Array.from({ length: Math.max(1, to - from) }, (_, at) => from + at);
}

const shift = (ring: Line, worlds: number): Line =>
  ring.map(([lng, lat]): Point => [lng + worlds * 360, lat]);

/** The part of a ring inside one copy of the world, moved to -180..180. */
function clipToWorld(ring: Line, world: number): Line {
  const moved = shift(ring, -world);
  return clipSide(clipSide(moved, -180, 1), 180, -1);
}

/** Sutherland and Hodgman against one meridian; `sign` 1 keeps what lies east of it. */
function clipSide(ring: Line, meridian: number, sign: 1 | -1): Line {
  const inside = ([lng]: Point) => sign * (lng - meridian) >= 0;
  if (ring.every(inside)) return ring;
  const kept: Point[] = [];
  for (const [from, to] of stepsOf(ring)) {
    if (inside(from)) kept.push(from);
    if (inside(from) !== inside(to)) {
      const share = (meridian - from[0]) / (to[0] - from[0]);
      kept.push([meridian, from[1] + (to[1] - from[1]) * share]);
    }
  }
  kept.push(...kept.slice(0, 1));
  return kept;
}
