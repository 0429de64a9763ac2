/**
 * Why content could not be had from a gateway. `mismatch`: bytes came whose hash is not the CID's. `malformed`: what came
 * is no file, or breaks the form of one. `out-of-order`: the blocks are good, and come in an order that would take too
 * much memory to put right. `unhashable`: the CID's hash function is none that this console computes.
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
