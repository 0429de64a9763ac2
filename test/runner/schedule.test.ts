import { expect, test } from 'vitest';
import { runAll } from './schedule.ts';

/** Runs stages that end when the test says so; what is running is looked at after each step. */
function rig(stages: Parameters<typeof runAll>[1], names = Object.keys(stages)) {
  const ends = new Map<string, () => void>();
  const all = runAll(
    names,
    stages,
    (name) =>
      new Promise<string>((resolve) => {
        ends.set(name, () => {
          ends.delete(name);
          resolve(name);
        });
      }),
  );
  const running = () => [...ends.keys()];
  const end = async (name: string) => {
    ends.get(name)?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return running();
  };
  return { all, running, end };
}

test('two stages of one core run side by side, one of two cores alone', async () => {
  const { all, running, end } = rig({
    a: { cores: 1 },
    whole: { cores: 2 },
    b: { cores: 1 },
    c: { cores: 1 },
  });
  expect(running()).toEqual(['a', 'b']);
  expect(await end('a')).toEqual(['b', 'c']);
  expect(await end('c')).toEqual(['b']);
  expect(await end('b')).toEqual(['whole']);
  expect(await end('whole')).toEqual([]);
  expect(await all).toEqual(['a', 'c', 'b', 'whole']);
});

test('a stage waits for those that it comes after, and only for those that were asked for', async () => {
  const { running, end } = rig({
    package: { cores: 1, after: ['build', 'not asked for'] },
    build: { cores: 1 },
  });
  expect(running()).toEqual(['build']);
  expect(await end('build')).toEqual(['package']);
});

test('stages that wait for each other are an error and no standstill', async () => {
  const { all } = rig({ a: { cores: 1, after: ['b'] }, b: { cores: 1, after: ['a'] } });
  await expect(all).rejects.toThrow('Nothing of this can begin: a, b');
});
