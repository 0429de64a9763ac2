import { type Stage } from './stages.ts';

const cores = 2;

/**
 * Runs stages, at most two at a time: one of two cores has the machine for itself. The order is that of the names,
 * but a stage waits for those that it comes after, and one that fits beside a running one is taken first.
 */
export async function runAll<T, S extends Pick<Stage, 'cores' | 'after'>>(
  names: readonly string[],
  stages: Readonly<Record<string, S>>,
  run: (name: string, stage: S) => Promise<T>,
): Promise<readonly T[]> {
  const waiting = [...names];
  const unfinished = new Set(names);
  const running = new Set<Promise<void>>();
  const done: T[] = [];
  let free = cores;
  while (waiting.length > 0 || running.size > 0) {
    const at = waiting.findIndex((name) => {
      const stage = stages[name];
      return (
        stage !== undefined && stage.cores <= free && !stage.after?.some((other) => unfinished.has(other))
      );
    });
    const name = waiting[at];
    const stage = stages[name ?? ''];
    if (name === undefined || stage === undefined) {
      if (running.size === 0) throw new Error(`Nothing of this can begin: ${waiting.join(', ')}`);
      await Promise.race(running);
      continue;
    }
    waiting.splice(at, 1);
    free -= stage.cores;
    const end = run(name, stage).then((result) => {
      done.push(result);
      unfinished.delete(name);
      free += stage.cores;
      running.delete(end);
    });
    running.add(end);
  }
  return done;
}
