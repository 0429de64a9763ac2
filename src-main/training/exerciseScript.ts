import type { Clock } from '../core/base/ports.ts';
import type { Evidence } from './evidence.ts';
import { exerciseSteps, type ExerciseStep } from './exercise.ts';
import type { Script } from './script.ts';
import type { Shelf } from './shelf.ts';

interface ExerciseScriptOptions {
  readonly clock: Clock;
  readonly shelf: Shelf;
  readonly evidence: Evidence;
  readonly script: Script;
}

/** Walks through the steps of the exercise once; switched off it waits, and goes on where it was. */
export class ExerciseScript {
  readonly #options: ExerciseScriptOptions;
  #next = 0;
  #cancel = (): void => undefined;

  constructor(options: ExerciseScriptOptions) {
    this.#options = options;
  }

  set(on: boolean): void {
    this.#cancel();
    if (on) this.#arm();
  }

  #arm(): void {
    const step = exerciseSteps[this.#next];
    if (!step) return;
    this.#cancel = this.#options.clock.schedule(step.afterMs, () => {
      this.#next += 1;
      this.#take(step);
      this.#arm();
    });
  }

  #take(step: ExerciseStep): void {
    const { shelf, evidence, script } = this.#options;
    switch (step.kind) {
      case 'change':
        shelf.change(step.id, step.change);
        return;
      case 'evidence':
        evidence.add({ incident_id: step.id });
        return;
      case 'arrival':
        script.addIncident(step.incident);
        return;
    }
  }
}
