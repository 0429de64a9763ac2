import type { MapTheme } from '../theme.ts';
import { colourParts } from './droneImage.ts';
import { writePlace, type FrameView } from './fixedPlace.ts';
import { Instances, Program } from './program.ts';
import type { DroneSpot, ShownDrones } from './shownDrones.ts';

/** How a line is drawn, in the last two bits of its first point's second number; 0 where none begins. */
const styles = { none: 0, usual: 1, silent: 2, chosen: 3 } as const;
type Style = (typeof styles)[keyof typeof styles];
const styleBits = 3;

const vertex = `
layout(location = 0) in uvec2 a_from;
layout(location = 1) in uvec2 a_to;
uniform vec4 u_colours[4];
uniform float u_widths[4];
out vec2 v_at;
flat out float v_length;
flat out float v_half;
flat out int v_style;
flat out vec4 v_colour;
uvec2 place(uvec2 point) { return uvec2(point.x, point.y & ~3u); }
void main() {
  v_style = int(a_from.y & 3u);
  if (v_style == 0) {
    gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
    return;
  }
  vec2 from_off = off(place(a_from));
  // Beyond the first point, never around the world.
  vec4 from = placed(from_off);
  vec4 to = placed(from_off + parts(place(a_to) - place(a_from)));
  vec2 from_px = from.xy / from.w * u_size * 0.5;
  vec2 to_px = to.xy / to.w * u_size * 0.5;
  v_length = distance(from_px, to_px);
  v_half = u_widths[v_style] * 0.5;
  v_colour = u_colours[v_style];
  vec2 along = v_length > 0.0 ? (to_px - from_px) / v_length : vec2(1.0, 0.0);
  float room = v_half + 1.0;
  // Clear lines have flat ends: where two of them lay over each other they would be dots.
  float beyond = v_style == 3 ? room : 0.0;
  v_at = vec2(mix(-beyond, v_length + beyond, corner().x), mix(-room, room, corner().y));
  vec2 px = from_px + along * v_at.x + vec2(-along.y, along.x) * v_at.y;
  gl_Position = vec4(px / u_size * 2.0 * from.w, from.z, from.w);
}`;
const fragment = `
uniform float u_ratio;
in vec2 v_at;
flat in float v_length;
flat in float v_half;
flat in int v_style;
flat in vec4 v_colour;
void main() {
  vec2 away = vec2(v_style == 3 ? v_at.x - clamp(v_at.x, 0.0, v_length) : 0.0, v_at.y);
  colour = v_colour * clamp((v_half - length(away)) * u_ratio + 0.5, 0.0, 1.0);
}`;

const pointBytes = 8;
/** A line from each point to the next of the same buffer. */
const pointByPoint = (gl: WebGL2RenderingContext): Instances =>
  new Instances(gl, pointBytes, [
    { size: 2, type: 'uint', offset: 0 },
    { size: 2, type: 'uint', offset: pointBytes },
  ]);
/** A line from the first point of each pair to the second. */
const pairs = (gl: WebGL2RenderingContext): Instances =>
  new Instances(gl, 2 * pointBytes, [
    { size: 2, type: 'uint', offset: 0 },
    { size: 2, type: 'uint', offset: pointBytes },
  ]);

/** So many trails are written at once: the fewer, the less is written for one that has grown. */
const batchSize = 64;
/** So often a frame all batches are written where each of them has changed: within two seconds. */
const writesPerRound = 1 / 8;

interface Trail {
  readonly batch: Batch;
  spot: DroneSpot;
  style: Style;
  /** The last point that was written; the rest of the way to the drone is written with its place. */
  readonly last: Uint32Array;
}

interface Batch {
  readonly trails: Map<string, Trail>;
  readonly lines: Instances;
  count: number;
  /** What is in `lines` is not what the trails are: `now` is what has to be seen at once. */
  stale: 'no' | 'soon' | 'now';
}

const styleOf = ({ chosen, silent }: DroneSpot): Style =>
  chosen ? styles.chosen : silent ? styles.silent : styles.usual;

/**
 * Where the drones were. What a trail is drawn of is written in batches, as it changes; the way from its last point to
 * the drone each time that one moves. Batches whose trails have only grown wait for their turn.
 */
export class DroneTrails {
  #theme: MapTheme;
  #look: { readonly colours: Float32Array; readonly widths: Float32Array } | null = null;
  #program: Program | null = null;
  #ends: Instances | null = null;
  #endCount = 0;
  #batches: Batch[] = [];
  readonly #trails = new Map<string, Trail>();
  #shown: ShownDrones | null = null;

  constructor(theme: MapTheme) {
    this.#theme = theme;
  }

  /** Whether some of it is still to be written, by a frame to come. */
  get unfinished(): boolean {
    return this.#batches.some(({ stale }) => stale !== 'no');
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
    this.#look = null;
  }

  /** There are graphics that hold nothing yet. */
  begin(gl: WebGL2RenderingContext): void {
    this.#program = new Program(gl, vertex, fragment);
    this.#ends = pairs(gl);
    this.#endCount = 0;
    this.#batches = [];
    this.#trails.clear();
    this.#shown = null;
  }

  draw(gl: WebGL2RenderingContext, shown: ShownDrones, view: FrameView): void {
    if (this.#program === null || this.#ends === null) return;
    const moved = shown !== this.#shown;
    if (moved) this.#take(gl, shown);
    this.#shown = shown;
    if (this.#writeBatches() || moved) this.#writeEnds(this.#ends, shown);
    if (this.#trails.size === 0) return;
    this.#look ??= lookOf(this.#theme);
    this.#program.use(view);
    gl.uniform4fv(this.#program.at('u_colours[0]'), this.#look.colours);
    gl.uniform1fv(this.#program.at('u_widths[0]'), this.#look.widths);
    for (const { lines, count } of this.#batches) lines.draw(count);
    this.#ends.draw(this.#endCount);
  }

  /** Finds out which trails are others than those that were written. */
  #take(gl: WebGL2RenderingContext, { spots }: ShownDrones): void {
    const gone = new Set(this.#trails.keys());
    for (const spot of spots) {
      if (spot.trail.length === 0) continue;
      gone.delete(spot.id);
      const style = styleOf(spot);
      const trail = this.#trails.get(spot.id) ?? this.#add(gl, spot);
      const { batch } = trail;
      if (trail.style !== style) batch.stale = 'now';
      else if (trail.spot.trail !== spot.trail && batch.stale === 'no') batch.stale = 'soon';
      trail.style = style;
      trail.spot = spot;
    }
    for (const id of gone) {
      const trail = this.#trails.get(id);
      this.#trails.delete(id);
      if (trail === undefined) continue;
      trail.batch.trails.delete(id);
      trail.batch.stale = 'now';
    }
    const empty = this.#batches.filter(({ trails }) => trails.size === 0);
    for (const { lines } of empty) lines.delete();
    if (empty.length > 0) this.#batches = this.#batches.filter((batch) => !empty.includes(batch));
  }

  #add(gl: WebGL2RenderingContext, spot: DroneSpot): Trail {
    let batch = this.#batches.find(({ trails }) => trails.size < batchSize);
    if (batch === undefined) {
      batch = { trails: new Map(), lines: pointByPoint(gl), count: 0, stale: 'now' };
      this.#batches.push(batch);
    }
    batch.stale = 'now';
    const trail: Trail = { batch, spot, style: styles.none, last: new Uint32Array(2) };
    batch.trails.set(spot.id, trail);
    this.#trails.set(spot.id, trail);
    return trail;
  }

  /** @returns whether something was written. */
  #writeBatches(): boolean {
    const waiting = this.#batches.filter(({ stale }) => stale === 'soon');
    const due = waiting.slice(0, Math.max(1, Math.ceil(this.#batches.length * writesPerRound)));
    const urgent = this.#batches.filter(({ stale }) => stale === 'now');
    for (const batch of [...urgent, ...due]) {
      write(batch);
      // Behind those that still wait.
      this.#batches.splice(this.#batches.indexOf(batch), 1);
      this.#batches.push(batch);
    }
    return urgent.length + due.length > 0;
  }

  #writeEnds(ends: Instances, { spots, places }: ShownDrones): void {
    const data = new Uint32Array(4 * this.#trails.size);
    let count = 0;
    for (const [at, { id, trail: points }] of spots.entries()) {
      const trail = points.length === 0 ? undefined : this.#trails.get(id);
      if (trail === undefined) continue;
      const [x = 0, y = 0] = trail.last;
      data.set([x, styled(y, trail.style), places[2 * at] ?? 0, places[2 * at + 1] ?? 0], 4 * count);
      count += 1;
    }
    ends.write(data);
    this.#endCount = count;
  }
}

const styled = (y: number, style: Style): number => y - (y % (styleBits + 1)) + style;

function write(batch: Batch): void {
  const trails = [...batch.trails.values()];
  const points = trails.reduce((sum, { spot }) => sum + spot.trail.length, 0);
  const data = new Uint32Array(2 * points);
  let at = 0;
  for (const { spot, style, last } of trails) {
    for (const [longitude, latitude] of spot.trail) {
      writePlace(data, at, longitude, latitude);
      data[at + 1] = styled(data[at + 1] ?? 0, style);
      at += 2;
    }
    data[at - 1] = styled(data[at - 1] ?? 0, styles.none);
    last.set(data.subarray(at - 2, at));
  }
  batch.lines.write(data);
  batch.count = points - 1;
  batch.stale = 'no';
}

/** By style: colours with their opacity in them, and widths. */
function lookOf(theme: MapTheme): { readonly colours: Float32Array; readonly widths: Float32Array } {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser draws no canvas');
  const clear = 0.6;
  const colours = new Float32Array(16);
  for (const [style, colour, opacity] of [
    [styles.usual, theme.text, clear],
    [styles.silent, theme.mapLabel, clear],
    [styles.chosen, theme.accent, 1],
  ] as const)
    colours.set([...colourParts(context, colour).map((part) => part * opacity), opacity], 4 * style);
  const thin = 1.5 * theme.stroke;
  return { colours, widths: Float32Array.of(0, thin, thin, 2.5 * theme.stroke) };
}
