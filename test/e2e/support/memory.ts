import { readFile, writeFile } from 'node:fs/promises';

/** What Linux says of a process's memory, in megabytes. */
export interface ProcessMemory {
  /** What it holds now. */
  readonly held: number;
  /** The most that it held since its start, or since the peak was forgotten. */
  readonly peak: number;
}

export async function memoryOf(pid: number): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  const megabytes = (name: string): number => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    if (kilobytes === undefined) throw new Error(`The system does not say ${name} of ${String(pid)}`);
    return Number(kilobytes) / 1_024;
  };
  return { held: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** From here on the peak is that of what follows. */
export const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${String(pid)}/clear_refs`, '5');
