import type { Finding } from './scanner.mjs';

interface Acceptance {
  readonly id: string;
  readonly file: string;
  readonly reason: string;
}
export declare function judge(
  scan: {
    readonly what: string;
    readonly given: number;
    readonly read: number;
    readonly errors: readonly string[];
    readonly findings: readonly Finding[];
  },
  accepted: readonly Acceptance[],
  seeded: { readonly file: string; readonly ids: readonly string[] },
): string[];
