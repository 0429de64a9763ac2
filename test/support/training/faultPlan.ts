import type { RequestFault } from '../../../src-main/training/answer.ts';

/** The faults that a test has planned for the next requests. */
export class FaultPlan {
  readonly #planned: { readonly fault: RequestFault; readonly path: string | null; left: number }[] = [];

  /** For the next `count` requests, on `path` only when given. What comes back takes the rest back. */
  add(count: number, fault: RequestFault, path: string | null): () => void {
    const plan = { fault, path, left: count };
    this.#planned.push(plan);
    return () => {
      plan.left = 0;
    };
  }

  /** The fault of a request that came; absent where none was planned. */
  take(path: string | null): RequestFault | undefined {
    const plan = this.#planned.find((candidate) => candidate.left > 0 && (candidate.path ?? path) === path);
    if (plan) plan.left -= 1;
    return plan?.fault;
  }
}
