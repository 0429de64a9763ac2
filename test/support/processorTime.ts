import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';

/** What Linux counts of a process, in clock ticks: its own time, and that of the children that it waited for. */
interface Ticks {
  readonly own: number;
  readonly children: number;
  /** Over, and not yet waited for by its parent. */
  readonly isZombie: boolean;
}

/** Of every Linux that Node runs on. */
const ticksPerSecond = 100;

// A process may end at any moment.
const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

function ticksOf(pid: number): Ticks | null {
  const stat = textOf(`/proc/${String(pid)}/stat`);
  if (stat === null) return null;
  // The name in brackets may hold blanks; of what follows it, 11 and 12 are its own, 13 and 14 its children's.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: user + system, children: childUser + childSystem, isZombie: fields[0] === 'Z' };
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Each thread has the list of those that it started. */
const childrenOf = (pid: number): number[] =>
  namesIn(`/proc/${String(pid)}/task`)
    .flatMap((thread) => (textOf(`/proc/${String(pid)}/task/${thread}/children`) ?? '').split(' '))
    .filter(Boolean)
    .map(Number);

/** Whether `ProcessorTime` can count on this system: it reads Linux's /proc. */
export const countsProcessorTime = platform() === 'linux';

/**
 * Processor seconds, user and system, of a process and of all that it starts. A process counts when a `look` saw it or
 * its parent waited for it; one that ended unseen and unwaited for does not.
 */
export class ProcessorTime {
  readonly #pid: number;
  readonly #seen = new Map<number, Ticks & { readonly parent: number; readonly alive: boolean }>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Whether a process that a look has seen still runs, also one that its parent left behind. */
  isAnyAlive(): boolean {
    return [...this.#seen.keys()].some((pid) => ticksOf(pid)?.isZombie === false);
  }

  /** Seconds until now. Read it often enough to meet what lives for a short time. */
  look(): number {
    for (const [pid, seen] of this.#seen) this.#seen.set(pid, { ...seen, alive: false });
    const visit = (pid: number, parent: number): void => {
      const ticks = ticksOf(pid);
      if (ticks === null) return;
      this.#seen.set(pid, { ...ticks, parent, alive: true });
      for (const child of childrenOf(pid)) visit(child, pid);
    };
    visit(this.#pid, 0);
    const waitedFor = new Map<number, number>();
    for (const { own, children, parent, alive } of this.#seen.values())
      if (!alive) waitedFor.set(parent, (waitedFor.get(parent) ?? 0) + own + children);
    let ticks = 0;
    // What a parent has waited for is partly known from the child's own last look.
    for (const [pid, { own, children }] of this.#seen)
      ticks += own + Math.max(0, children - (waitedFor.get(pid) ?? 0));
    return ticks / ticksPerSecond;
  }
}
