import type { CallOptions } from '../../../../src-main/core/service/api/infrastructure.ts';
import { AnswerHold, LargeAnswerGate } from '../../../../src-main/core/service/transport/largeAnswers.ts';

/** Stands where the transport has its gate, and takes each answer for a large one. */
export class LargeGate {
  readonly #gate = new LargeAnswerGate();

  /** Waits as a large answer to this call does. */
  async enter({ hold, signal }: CallOptions = {}): Promise<void> {
    if (hold === undefined) throw new Error('The call has no hold');
    await this.#gate.enter(hold, signal ?? new AbortController().signal);
  }

  /** Whether another large answer could be read now. */
  async isFree(): Promise<boolean> {
    const hold = new AnswerHold();
    const giveUp = new AbortController();
    const entered = this.#gate.enter(hold, giveUp.signal).then(
      () => true,
      () => false,
    );
    giveUp.abort();
    const isFree = await entered;
    hold.release();
    return isFree;
  }
}
