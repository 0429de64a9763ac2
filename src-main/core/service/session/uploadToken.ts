import type { Token } from './tokens.ts';

/**
 * The separate service token for uploads (interface: Authentication, 7), held only while an operator is signed in. Its
 * scheme is not specified: it is sent as a bearer token, and the service's answer says whether it is valid.
 */
export class UploadToken {
  #token: Token | null = null;
  #refused = false;
  #generation = 0;

  get state(): 'missing' | 'present' | 'refused' {
    if (this.#token) return 'present';
    return this.#refused ? 'refused' : 'missing';
  }

  get token(): Token | null {
    return this.#token;
  }

  give(value: string): void {
    this.#generation += 1;
    this.#token = { value, generation: this.#generation };
    this.#refused = false;
  }

  /** Drops the token of `generation`, but not a later one. Returns whether anything changed. */
  refuse(generation: number): boolean {
    if (this.#token?.generation !== generation) return false;
    this.#token = null;
    this.#refused = true;
    return true;
  }

  forget(): void {
    this.#token = null;
    this.#refused = false;
  }
}
