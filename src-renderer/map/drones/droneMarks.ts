import type { MapTheme } from '../theme.ts';
import { imageCount, imageOf, imagePx, paintDrones, ringImage } from './droneImage.ts';
import type { FrameView } from './fixedPlace.ts';
import { Instances, Program } from './program.ts';
import type { ShownDrones } from './shownDrones.ts';

const vertex = `
layout(location = 0) in uvec2 a_place;
layout(location = 1) in vec2 a_look;
uniform float u_side;
uniform float u_count;
out vec2 v_texel;
void main() {
  vec2 px = (corner() - 0.5) * u_side;
  float turned_x = cos(a_look.x) * px.x - sin(a_look.x) * px.y;
  float turned_y = sin(a_look.x) * px.x + cos(a_look.x) * px.y;
  vec4 at = placed(off(a_place));
  gl_Position = at + vec4(vec2(turned_x, -turned_y) / u_size * 2.0 * at.w, 0.0, 0.0);
  v_texel = vec2((corner().x + a_look.y) / u_count, corner().y);
}`;
const fragment = `
uniform sampler2D u_images;
in vec2 v_texel;
void main() { colour = texture(u_images, v_texel); }`;
/** Place, turn and image. */
const instanceWords = 4;

/** The marks of the drones, with a ring under the chosen one. */
export class DroneMarks {
  #theme: MapTheme;
  #program: Program | null = null;
  #instances: Instances | null = null;
  #texture: WebGLTexture | null = null;
  #painted = false;
  #count = 0;
  #shown: ShownDrones | null = null;

  constructor(theme: MapTheme) {
    this.#theme = theme;
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
    this.#painted = false;
  }

  /** There are graphics that hold nothing yet. */
  begin(gl: WebGL2RenderingContext): void {
    this.#program = new Program(gl, vertex, fragment);
    this.#instances = new Instances(gl, 4 * instanceWords, [
      { size: 2, type: 'uint', offset: 0 },
      { size: 2, type: 'float', offset: 8 },
    ]);
    this.#texture = gl.createTexture();
    this.#painted = false;
    this.#count = 0;
    this.#shown = null;
  }

  draw(gl: WebGL2RenderingContext, shown: ShownDrones, view: FrameView): void {
    if (this.#program === null || this.#instances === null) return;
    if (shown !== this.#shown) {
      const data = instancesOf(shown);
      this.#instances.write(data);
      this.#count = data.length / instanceWords;
      this.#shown = shown;
    }
    if (this.#count === 0) return;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    if (!this.#painted) this.#paint(gl, view.pixelRatio);
    this.#program.use(view);
    gl.uniform1f(this.#program.at('u_side'), imagePx);
    gl.uniform1f(this.#program.at('u_count'), imageCount);
    this.#instances.draw(this.#count);
  }

  #paint(gl: WebGL2RenderingContext, pixelRatio: number): void {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('This browser draws no canvas');
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    const images = paintDrones(context, this.#theme, Math.min(3, Math.max(1, pixelRatio)));
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, images);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    this.#painted = true;
  }
}

function instancesOf({ spots, places }: ShownDrones): Uint32Array {
  const ringed = spots.flatMap(({ chosen }, at) => (chosen ? [at] : []));
  const words = new Uint32Array(instanceWords * (ringed.length + spots.length));
  const floats = new Float32Array(words.buffer);
  let instance = 0;
  const add = (at: number, turn: number, image: number): void => {
    words.set(places.subarray(2 * at, 2 * at + 2), instanceWords * instance);
    floats.set([turn, image], instanceWords * instance + 2);
    instance += 1;
  };
  for (const at of ringed) add(at, 0, ringImage);
  for (const [at, spot] of spots.entries()) add(at, ((spot.heading ?? 0) * Math.PI) / 180, imageOf(spot));
  return words;
}
