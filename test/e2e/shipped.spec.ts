import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { executableIn } from '../../build/drivable.mjs';
import { expect, test } from './support/fixtures.ts';
import { packedFolder } from './support/packed.ts';

const reportSchema = z.looseObject({
  passed: z.boolean(),
  steps: z.array(z.looseObject({ id: z.string(), outcome: z.string(), detail: z.string() })),
});

/** What is shipped lets nobody drive it, so it is asked to prove itself. */
test.describe('the shipped application', { tag: '@desktop' }, () => {
  const start = async (args: readonly string[], folder: string) => {
    const program = executableIn(packedFolder().folder);
    const child = spawn(program, [...args, '--data-dir', `${folder}/data`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stdout, stderr };
  };

  test('passes its self-test', async ({ folder }) => {
    const { status, stdout } = await start(['--self-test'], folder);
    const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '{}';
    const report = reportSchema.parse(JSON.parse(line));
    expect(report.steps.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect({ status, passed: report.passed }).toEqual({ status: 0, passed: true });
  });

  for (const argument of [
    '--remote-debugging-port=0',
    '--remote-debugging-pipe',
    '--js-flags=--expose-gc',
    '--load-extension=x',
  ]) {
    test(`does not start with ${argument.split('=')[0] ?? argument}`, async ({ folder }) => {
      const { status } = await start([argument], folder);
      expect(status).toBe(2);
    });
  }
});
