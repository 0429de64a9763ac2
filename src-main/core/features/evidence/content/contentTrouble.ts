/**
 * Why a gateway's content is unusable. `mismatch`: the hash of the bytes is not the CID's. `malformed`: the answer is
 * no file, or an invalid one. `out-of-order`: the blocks are valid, but in an order that would take too much memory.
 * `unhashable`: this console does not compute the CID's hash function.
 */
export type ContentProblem =
  | 'mismatch'
  | 'malformed'
  | 'incomplete'
  | 'out-of-order'
  | 'too-large'
  | 'not-a-file'
  | 'unhashable';

export class ContentTrouble extends Error {
  override readonly name = 'ContentTrouble';
  readonly problem: ContentProblem;

  constructor(problem: ContentProblem) {
    super(problem);
    this.problem = problem;
  }
}
