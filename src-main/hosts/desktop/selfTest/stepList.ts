import type { SelfTestStep } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../../core/base/ports.ts';

/** Thrown by a step that cannot run here: it neither passed nor failed. The message is the reason. */
export class NotRun extends Error {}

/** A step of the self-test in the output: in English, for support and for programs. */
export type PrintedStep = Omit<SelfTestStep, 'name' | 'detail'> & {
  readonly name: string;
  readonly detail: string;
};

/** The steps of a self-test in their order. */
export interface StepList {
  readonly steps: PrintedStep[];
  /** Runs a step. `run` resolves to the result as a sentence, or rejects with the fault. */
  step(id: string, name: string, run: () => Promise<string>): Promise<void>;
}

export function createStepList(clock: Pick<Clock, 'elapsed'>): StepList {
  const steps: PrintedStep[] = [];
  return {
    steps,
    step: async (id, name, run) => {
      const from = clock.elapsed();
      const { outcome, detail } = await run().then(
        (seen) => ({ outcome: 'passed' as const, detail: seen }),
        (error: unknown) => ({
          outcome: error instanceof NotRun ? ('not-run' as const) : ('failed' as const),
          detail: error instanceof Error ? error.message : String(error),
        }),
      );
      steps.push({
        id,
        name,
        outcome,
        detail: detail.slice(0, 512),
        milliseconds: Math.round(clock.elapsed() - from),
      });
    },
  };
}
