import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const program = fileURLToPath(new URL('../../src-main/training/main.ts', import.meta.url));

/** What `npm run training` prints, by its labels, with the service running until `use` is done. */
export async function running<T>(
  args: readonly string[],
  use: (said: Map<string, string>) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
    while (!text.includes('Seed')) await once(child.stdout, 'data');
    const lines = text.trim().split('\n');
    return await use(new Map(lines.map((line) => [line.slice(0, 20).trim(), line.slice(20).trim()])));
  } finally {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  }
}
