import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import process from 'node:process';

/** Computes without end, with a look after each 20 ms whether the run that started it is still there. */
const burning = `
process.stdin.on('end', () => process.exit()).resume();
(function burn() {
  const end = performance.now() + 20;
  while (performance.now() < end);
  setImmediate(burn);
})();`;
const sampleMs = 15_000;

/**
 * Loads the machine with `count` processes that compute, at the priority of this one. They end with `stop`, or with
 * this process.
 *
 * @returns `stop` ends them and says which load the system counted meanwhile, in processes that want a processor.
 */
export function startLoad(count: number): { stop(): string } {
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--eval', burning], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  const loads: number[] = [];
  const sample = () => loads.push(loadavg()[0] ?? 0);
  const sampling = setInterval(sample, sampleMs);
  return {
    stop: () => {
      clearInterval(sampling);
      sample();
      for (const child of children) child.kill();
      const sorted = loads.toSorted((a, b) => a - b);
      const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1);
      return `Loaded by ${String(count)} processes: load ${at(0)} to ${at(1)}, median ${at(0.5)}\n`;
    },
  };
}
