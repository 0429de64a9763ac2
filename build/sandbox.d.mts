export interface SandboxProblem {
  readonly reason: string;
  readonly helper: string;
}
export function sandboxProblem(
  binary: string,
  system?: {
    readonly settings?: string;
    readonly profiles?: string;
    readonly tryNamespace?: () => boolean | null;
  },
): SandboxProblem | null;
export function sandboxWords(problem: SandboxProblem): string[];
