import type { CallOptions } from '../../../../src-main/core/service/api/infrastructure.ts';
import {
  LargeAnswerPermit,
  LargeAnswerGate,
} from '../../../../src-main/core/service/transport/largeAnswers.ts';

/** Stands where the transport has its gate, and takes each answer for a large one. */
export class LargeGate {
  readonly #gate = new LargeAnswerGate();

  /** Waits as a large answer to this call does. */
  async enter({ permit, signal }: CallOptions = {}): Promise<void> {
    if (permit === undefined) throw new Error('The call has no permit');
    await this.#gate.enter(permit, signal ?? new AbortController().signal);
  }

  /** Whether another large answer could be read now. */
  async isFree(): Promise<boolean> {
    const permit = new LargeAnswerPermit();
    const giveUp = new AbortController();
    const entered = this.#gate.enter(permit, giveUp.signal).then(
      () => true,
      () => false,
    );
    giveUp.abort();
    const isFree = await entered;
    permit.release();
    return isFree;
  }
}
