/**
 * Cutting rings and lines at the antimeridian. Drawn uncut, a ring that steps from 179 to -179
 * becomes a stripe across the whole map.
 *
 * A ring is first unwrapped (longitudes continue past 180 instead of jumping), closed over the pole
 * if it goes once around the world, and then clipped to each copy of the world that it touches.
 */

export function cutPolygon(polygon) {
  // On the sphere Antarctica is a band between its coast and a ring of no size around the pole.
  const rings = polygon.filter((ring) => !atPole(ring)).map(unwrapRing);
  const [outer, ...holes] = rings;
  const copies = worldsOf(outer);
  return copies
    .map((world) => [
      clipToWorld(outer, world),
      ...holes.flatMap((hole) => worldsOf(hole).map((own) => clipToWorld(shift(hole, world - own), world))),
    ])
    .map((cut) => cut.filter((ring) => ring.length >= 4))
    .filter((cut) => cut.length > 0);
}

export function cutLine(line) {
  if (atPole(line)) return [];
  const parts = [];
  let part = [line[0]];
  for (let at = 1; at < line.length; at += 1) {
    const [fromLng, fromLat] = line[at - 1];
    const [toLng, toLat] = line[at];
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

export function roundLine(line, decimals) {
  const rounded = withoutRepeats(line.map((point) => point.map((value) => round(value, decimals))));
  return rounded.length >= 2 ? rounded : null;
}

export function roundPolygon(polygon, decimals) {
  const rings = polygon.map((ring) => roundLine(ring, decimals)).filter((ring) => ring && ring.length >= 4);
  return rings.length > 0 ? rings : null;
}

const atPole = (line) => line.every(([, lat]) => Math.abs(lat) > 89.9);

const round = (value, decimals) => Number(value.toFixed(decimals)) + 0;

function withoutRepeats(points) {
  return points.filter(
    ([lng, lat], at) => at === 0 || lng !== points[at - 1][0] || lat !== points[at - 1][1],
  );
}

function unwrapRing(ring) {
  let offset = 0;
  const unwrapped = ring.map(([lng, lat], at) => {
    const step = at === 0 ? 0 : lng - ring[at - 1][0];
    if (step > 180) offset -= 360;
    else if (step < -180) offset += 360;
    return [lng + offset, lat];
  });
  const [first] = unwrapped;
  const last = unwrapped.at(-1);
  if (Math.abs(last[0] - first[0]) < 180) return unwrapped;
  // Around the world once: Antarctica. The ring is closed along the pole it encloses.
  const pole = first[1] < 0 ? -90 : 90;
  const alongPole = [0, 0.25, 0.5, 0.75, 1].map((share) => [last[0] + (first[0] - last[0]) * share, pole]);
  return [...unwrapped, ...alongPole, first];
}

function worldsOf(ring) {
  const lngs = ring.map(([lng]) => lng);
  const from = Math.floor((Math.min(...lngs) + 180) / 360);
  const to = Math.ceil((Math.max(...lngs) + 180) / 360);
  return Array.from({ length: Math.max(1, to - from) }, (_, at) => from + at);
}

const shift = (ring, worlds) => ring.map(([lng, lat]) => [lng + worlds * 360, lat]);

/** The part of a ring inside one copy of the world, moved to -180..180. */
function clipToWorld(ring, world) {
  const moved = shift(ring, -world);
  return clipSide(clipSide(moved, -180, 1), 180, -1);
}

/** Sutherland and Hodgman against one meridian; `sign` 1 keeps what lies east of it. */
function clipSide(ring, meridian, sign) {
  const inside = ([lng]) => sign * (lng - meridian) >= 0;
  if (ring.every(inside)) return ring;
  const kept = [];
  for (let at = 0; at + 1 < ring.length; at += 1) {
    const from = ring[at];
    const to = ring[at + 1];
    if (inside(from)) kept.push(from);
    if (inside(from) !== inside(to)) {
      const share = (meridian - from[0]) / (to[0] - from[0]);
      kept.push([meridian, from[1] + (to[1] - from[1]) * share]);
    }
  }
  if (kept.length > 0) kept.push(kept[0]);
  return kept;
}
