import type { FrameView } from './fixedPlace.ts';

/** `placed` is where a place lies in clip space, `off` what lies between it and the eye in parts of the world. */
const head = `#version 300 es
precision highp float;
precision highp int;
uniform mat4 u_matrix;
uniform uvec2 u_eye;
uniform vec2 u_size;
uniform float u_ratio;
vec2 parts(uvec2 difference) { return vec2(ivec2(difference)) * vec2(exp2(-32.0), exp2(-31.0)); }
vec2 off(uvec2 place) { return parts(place - u_eye); }
vec4 placed(vec2 away) { return u_matrix * vec4(away, 0.0, 1.0); }
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1); }
`;
const fragmentHead = `#version 300 es
precision highp float;
out vec4 colour;
`;

/** A program that draws at places. It is not asked whether it is ready before it is used: that would wait for it. */
export class Program {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #uniforms = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.#gl = gl;
    this.#program = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, head + vertex],
      [gl.FRAGMENT_SHADER, fragmentHead + fragment],
    ] as const) {
      const shader = gl.createShader(type);
      if (shader === null) continue;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.#program, shader);
    }
    gl.linkProgram(this.#program);
  }

  use({ matrix, eye, width, height, pixelRatio }: FrameView): void {
    const gl = this.#gl;
    gl.useProgram(this.#program);
    gl.uniformMatrix4fv(this.at('u_matrix'), false, matrix);
    gl.uniform2ui(this.at('u_eye'), eye[0] ?? 0, eye[1] ?? 0);
    gl.uniform2f(this.at('u_size'), width, height);
    gl.uniform1f(this.at('u_ratio'), pixelRatio);
  }

  at(uniform: string): WebGLUniformLocation | null {
    const known = this.#uniforms.get(uniform);
    if (known !== undefined) return known;
    const found = this.#gl.getUniformLocation(this.#program, uniform);
    this.#uniforms.set(uniform, found);
    return found;
  }
}

/** A part of what an instance is made of. */
interface Attribute {
  readonly size: 1 | 2 | 4;
  readonly type: 'float' | 'uint' | 'ushort';
  /** Bytes from an instance's beginning. */
  readonly offset: number;
}

/** Instances of a quad: a buffer, and how its bytes are read; attributes have the numbers of their order. */
export class Instances {
  readonly #gl: WebGL2RenderingContext;
  readonly #buffer: WebGLBuffer;
  readonly #array: WebGLVertexArrayObject;
  #bytes = 0;

  constructor(gl: WebGL2RenderingContext, stride: number, attributes: readonly Attribute[]) {
    this.#gl = gl;
    this.#buffer = gl.createBuffer();
    this.#array = gl.createVertexArray();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    for (const [number, { size, type, offset }] of attributes.entries()) {
      gl.enableVertexAttribArray(number);
      gl.vertexAttribDivisor(number, 1);
      if (type === 'float') gl.vertexAttribPointer(number, size, gl.FLOAT, false, stride, offset);
      else {
        const whole = type === 'uint' ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
        gl.vertexAttribIPointer(number, size, whole, stride, offset);
      }
    }
    gl.bindVertexArray(null);
  }

  write(data: Uint32Array): void {
    const gl = this.#gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    if (data.byteLength === this.#bytes) gl.bufferSubData(gl.ARRAY_BUFFER, 0, data);
    else gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    this.#bytes = data.byteLength;
  }

  draw(count: number): void {
    if (count <= 0) return;
    const gl = this.#gl;
    gl.bindVertexArray(this.#array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.bindVertexArray(null);
  }

  delete(): void {
    this.#gl.deleteVertexArray(this.#array);
    this.#gl.deleteBuffer(this.#buffer);
  }
}
