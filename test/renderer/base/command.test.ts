import { describe, expect, it } from 'vitest';
import { failed, ok, type Result } from '../../../src-preload/contract/index.ts';
import { useCommand } from '../../../src-renderer/base/command.ts';
import { pageFailure } from '../../../src-renderer/base/failure.ts';

const refused = pageFailure('file-refused', 'failures.folder', null);

/** A verb whose answers are given by hand. */
function asked(): {
  readonly work: () => Promise<Result<number>>;
  readonly answers: ((r: Result<number>) => void)[];
} {
  const answers: ((result: Result<number>) => void)[] = [];
  return { answers, work: () => new Promise((answer) => answers.push(answer)) };
}

describe('a command', () => {
  it('is busy until it is answered, and is not given twice meanwhile', async () => {
    const { busy, alone } = useCommand();
    const { work, answers } = asked();
    const first = alone(work);
    expect(busy.value).toBe(true);
    expect(await alone(work)).toBeNull();
    expect(answers).toHaveLength(1);
    answers[0]?.(ok(7));
    expect(await first).toEqual(ok(7));
    expect(busy.value).toBe(false);
  });

  it('tells its failure until another one is carried out or it is closed', async () => {
    const { failure, run, alone, clear } = useCommand();
    await run(Promise.resolve(failed(refused)));
    expect(failure.value).toBe(refused);
    await run(Promise.resolve(ok(null)));
    expect(failure.value).toBeNull();
    await run(Promise.resolve(failed(refused)));
    clear();
    expect(failure.value).toBeNull();
    await run(Promise.resolve(failed(refused)));
    const again = alone(() => Promise.resolve(ok(null)));
    expect(failure.value, 'the last one is over when the next begins').toBeNull();
    await again;
  });

  it('is idle again after a fault', async () => {
    const { busy, alone } = useCommand();
    await expect(alone(() => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
    expect(busy.value).toBe(false);
  });

  it('tells its failure where another one does, and is busy by itself', async () => {
    const first = useCommand();
    const second = useCommand(first.failure);
    const { work, answers } = asked();
    const going = first.alone(work);
    expect([first.busy.value, second.busy.value]).toEqual([true, false]);
    answers[0]?.(ok(1));
    await going;
    await second.run(Promise.resolve(failed(refused)));
    expect(first.failure.value).toBe(refused);
  });
});
