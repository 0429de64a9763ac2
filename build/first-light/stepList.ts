import { textOf } from '../../src-main/core/base/errors.ts';
import type { Clock } from '../../src-main/core/base/ports.ts';
import { limits } from './limits.ts';
import type { ReportedStep } from './report.ts';

/** Thrown by a step that cannot run on this system: it neither passed nor failed. The message is the reason. */
export class NotRun extends Error {}

/** The steps of a first light in their order. */
export interface StepList {
  readonly steps: readonly ReportedStep[];
  /**
   * Runs a step, and answers whether it passed. `run` resolves to what was seen as a sentence, or rejects with the
   * fault or with `NotRun`.
   */
  step(id: string, name: string, run: () => Promise<string>): Promise<boolean>;
  /** Takes over a step that was run elsewhere. */
  add(step: ReportedStep): void;
}

export function createStepList(options: {
  readonly clock: Pick<Clock, 'elapsed' | 'schedule'>;
  /** Steps that cannot succeed here, each with the reason. */
  readonly cannot?: Readonly<Record<string, string>>;
  /** Hears of each step as it ends: what was found out outlives a run that is cut off. */
  readonly onStep?: (step: ReportedStep) => void;
}): StepList {
  const { clock, cannot = {}, onStep = () => undefined } = options;
  const steps: ReportedStep[] = [];
  const begun = clock.elapsed();
  /** @throws NotRun when no further step may begin; Error when this one says nothing within its time. */
  const within = async (run: () => Promise<string>): Promise<string> => {
    if (clock.elapsed() - begun > limits.whole) throw new NotRun('The time for all steps was over.');
    let cancel = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = clock.schedule(limits.step, () =>
        reject(new Error(`Nothing came within ${String(limits.step / 60_000)} min.`)),
      );
    });
    return Promise.race([run(), late]).finally(() => cancel());
  };
  const add = (ended: ReportedStep): void => {
    const reason = ended.outcome === 'failed' ? cannot[ended.id] : undefined;
    const step = reason === undefined ? ended : { ...ended, outcome: 'not-run' as const, detail: reason };
    steps.push(step);
    onStep(step);
  };
  return {
    steps,
    add,
    step: async (id, name, run) => {
      const from = clock.elapsed();
      const { outcome, detail } = await within(run).then(
        (seen) => ({ outcome: 'passed' as const, detail: seen }),
        (error: unknown) => ({
          outcome: error instanceof NotRun ? ('not-run' as const) : ('failed' as const),
          detail: textOf(error),
        }),
      );
      const milliseconds = Math.round(clock.elapsed() - from);
      add({ id, name, outcome, detail: detail.slice(0, 2_000), milliseconds });
      return outcome === 'passed';
    },
  };
}
