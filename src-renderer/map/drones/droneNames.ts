import { codePointMark, hiddenCharacters } from '../../../src-preload/contract/index.ts';
import { loadFonts } from '../font.ts';
import type { MapTheme } from '../theme.ts';
import { colourParts } from './droneImage.ts';
import { screenPlace, type FrameView } from './fixedPlace.ts';
import { atlasSide, NameAtlas } from './nameAtlas.ts';
import { layOutNames, type NameBox } from './nameLayout.ts';
import { Instances, Program } from './program.ts';
import type { DroneSpot, ShownDrones } from './shownDrones.ts';

/** From here on drones have their names beside them: farther away the names would hide the drones. */
const namesFromZoom = 7;
/** CSS pixels. */
const textSize = 12;
/** From a drone's middle down to its name, in sizes of the text. */
const downEms = 1.1;
/** So many pictures of names are made in a frame: a thousand at once would hold up the page. */
const picturesPerFrame = 24;
/** So many names are remembered whose fonts are there: a stream may bring others all day long. */
const mostReady = 10_000;

/** Longer names would lie over half of the map; the ends of one are what tells it from the next. */
const mostLetters = 24;
const lastLetters = 8;
export function shortName(id: string): string {
  const shown = id.replaceAll(hiddenCharacters, codePointMark);
  const letters = [...shown];
  if (letters.length <= mostLetters) return shown;
  const first = letters.slice(0, mostLetters - lastLetters - 1);
  return [...first, '…', ...letters.slice(-lastLetters)].join('');
}

const vertex = `
layout(location = 0) in uvec2 a_place;
layout(location = 1) in uvec4 a_slot;
layout(location = 2) in float a_quiet;
uniform float u_down;
uniform float u_side;
out vec2 v_texel;
flat out float v_quiet;
void main() {
  vec4 at = placed(off(a_place));
  vec2 screen = u_size * u_ratio;
  vec2 slot = vec2(a_slot.zw);
  // Letters stay sharp on whole pixels.
  vec2 origin = floor((at.xy / at.w * 0.5 + 0.5) * screen + vec2(-0.5 * slot.x, -u_down * u_ratio) + 0.5);
  vec2 pixel = origin + vec2(corner().x, -corner().y) * slot;
  v_texel = (vec2(a_slot.xy) + corner() * slot) / u_side;
  v_quiet = a_quiet;
  gl_Position = vec4((pixel / screen * 2.0 - 1.0) * at.w, at.z, at.w);
}`;
const fragment = `
uniform sampler2D u_names;
uniform vec3 u_edge;
uniform vec3 u_text;
uniform vec3 u_silent;
in vec2 v_texel;
flat in float v_quiet;
void main() {
  vec2 covered = texture(u_names, v_texel).rg;
  colour = vec4(covered.r * u_edge + covered.g * mix(u_text, u_silent, v_quiet), covered.r + covered.g);
}`;
/** Place, slot as four halves of a word, and how quiet. */
const instanceWords = 5;

interface Look {
  readonly edge: readonly [number, number, number];
  readonly text: readonly [number, number, number];
  readonly silent: readonly [number, number, number];
}

/** The names under the marks, as far as they do not lie over each other: the chosen one's before all others. */
export class DroneNames {
  readonly #onFonts: () => void;
  #theme: MapTheme;
  #textScale: number;
  #look: Look | null = null;
  #program: Program | null = null;
  #instances: Instances | null = null;
  #atlas: NameAtlas | null = null;
  /** Identifiers of the drones whose names stood in the frame before. */
  #stood: ReadonlySet<string> = new Set();
  /** Names whose fonts are there, or cannot be had. */
  readonly #ready = new Set<string>();
  readonly #asked = new Set<string>();
  #unfinished = false;

  /** `onFonts`: fonts came that names waited for. */
  constructor({
    theme,
    textScale,
    onFonts,
  }: {
    readonly theme: MapTheme;
    readonly textScale: number;
    readonly onFonts: () => void;
  }) {
    this.#theme = theme;
    this.#textScale = textScale;
    this.#onFonts = onFonts;
  }

  /** Whether a name waits for a frame to come. */
  get unfinished(): boolean {
    return this.#unfinished;
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
    this.#look = null;
  }

  setTextScale(scale: number): void {
    if (scale === this.#textScale) return;
    this.#textScale = scale;
    this.#atlas?.delete();
    this.#atlas = null;
  }

  begin(gl: WebGL2RenderingContext): void {
    this.#program = new Program(gl, vertex, fragment);
    this.#instances = new Instances(gl, 4 * instanceWords, [
      { size: 2, type: 'uint', offset: 0 },
      { size: 4, type: 'ushort', offset: 8 },
      { size: 1, type: 'float', offset: 16 },
    ]);
    this.#atlas = null;
  }

  draw(gl: WebGL2RenderingContext, shown: ShownDrones, view: FrameView): void {
    this.#unfinished = false;
    if (this.#program === null || this.#instances === null) return;
    if (view.zoom < namesFromZoom || shown.spots.length === 0) return;
    gl.activeTexture(gl.TEXTURE0);
    this.#fitAtlas(gl, view.pixelRatio);
    if (this.#atlas === null) return;
    const standing = this.#choose(this.#atlas, shown, view);
    this.#instances.write(instancesOf(this.#atlas, shown, standing));
    this.#look ??= lookOf(this.#theme);
    this.#program.use(view);
    gl.uniform1f(this.#program.at('u_down'), downEms * textSize * this.#textScale);
    gl.uniform1f(this.#program.at('u_side'), atlasSide);
    gl.uniform3f(this.#program.at('u_edge'), ...this.#look.edge);
    gl.uniform3f(this.#program.at('u_text'), ...this.#look.text);
    gl.uniform3f(this.#program.at('u_silent'), ...this.#look.silent);
    gl.bindTexture(gl.TEXTURE_2D, this.#atlas.texture);
    this.#instances.draw(standing.length);
  }

  /** Pictures are drawn pixel by pixel: another screen needs others. */
  #fitAtlas(gl: WebGL2RenderingContext, pixelRatio: number): void {
    const fits = this.#atlas !== null && Math.abs(this.#atlas.pixelRatio / pixelRatio - 1) < 0.01;
    if (fits) return;
    this.#atlas?.delete();
    this.#atlas = new NameAtlas(gl, textSize * this.#textScale, pixelRatio);
  }

  /** Which drones have their names drawn, by their order in `shown`. */
  #choose(atlas: NameAtlas, shown: ShownDrones, view: FrameView): readonly number[] {
    atlas.beginFrame();
    const wanted = boxesOf({
      atlas,
      shown,
      view,
      down: downEms * textSize * this.#textScale,
      stood: this.#stood,
    });
    let pictures = 0;
    const taken = layOutNames(
      wanted.map(({ box }) => box),
      (index) => {
        const name = shortName(wanted[index]?.spot.id ?? '');
        if (atlas.slot(name) !== null) return true;
        if (!this.#ready.has(name)) {
          this.#asked.add(name);
          return false;
        }
        if (pictures >= picturesPerFrame) {
          this.#unfinished = true;
          return false;
        }
        pictures += 1;
        return atlas.add(name);
      },
    );
    this.#askForFonts();
    const standing = taken.flatMap((index) => wanted[index] ?? []);
    this.#stood = new Set(standing.map(({ spot }) => spot.id));
    return standing.map(({ at }) => at);
  }

  #askForFonts(): void {
    if (this.#asked.size === 0) return;
    const names = [...this.#asked];
    this.#asked.clear();
    void loadFonts(names.join(' ')).then(() => {
      if (this.#ready.size > mostReady) this.#ready.clear();
      for (const name of names) this.#ready.add(name);
      this.#onFonts();
    });
  }
}

interface Wanted {
  /** In the order of the drones. */
  readonly at: number;
  readonly spot: DroneSpot;
  readonly box: NameBox;
}

/** The names that would be on the screen: the chosen one's, those that stood before, then the others. */
function boxesOf({
  atlas,
  shown: { spots, places },
  view,
  down,
  stood,
}: {
  readonly atlas: NameAtlas;
  readonly shown: ShownDrones;
  readonly view: FrameView;
  readonly down: number;
  readonly stood: ReadonlySet<string>;
}): readonly Wanted[] {
  const wanted: Wanted[] = [];
  const { height } = atlas;
  for (const [at, spot] of spots.entries()) {
    const [x, y] = screenPlace(view, places[2 * at] ?? 0, places[2 * at + 1] ?? 0);
    if (y < -down - height || y > view.height) continue;
    const width = atlas.width(shortName(spot.id));
    if (x < -width / 2 || x > view.width + width / 2) continue;
    const box = { left: x - width / 2, top: y + down, width, height, stood: stood.has(spot.id) };
    wanted.push({ at, spot, box });
  }
  const place = ({ spot, box }: Wanted): number => (spot.chosen ? 0 : box.stood ? 1 : 2);
  return wanted.toSorted((a, b) => place(a) - place(b));
}

function instancesOf(
  atlas: NameAtlas,
  { spots, places }: ShownDrones,
  standing: readonly number[],
): Uint32Array {
  const words = new Uint32Array(instanceWords * standing.length);
  const halves = new Uint16Array(words.buffer);
  const floats = new Float32Array(words.buffer);
  for (const [index, at] of standing.entries()) {
    const spot = spots[at];
    const slot = spot && atlas.slot(shortName(spot.id));
    if (!slot) continue;
    words.set(places.subarray(2 * at, 2 * at + 2), instanceWords * index);
    halves.set([slot.x, slot.y, slot.width, slot.height], 2 * (instanceWords * index + 2));
    floats[instanceWords * index + 4] = spot.silent ? 1 : 0;
  }
  return words;
}

function lookOf({ surface, text, mapLabel }: MapTheme): Look {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('This browser draws no canvas');
  return {
    edge: colourParts(context, surface),
    text: colourParts(context, text),
    silent: colourParts(context, mapLabel),
  };
}
