import { expect, onTestFinished, test } from 'vitest';
import { startTraining } from '../../src-main/training/index.ts';
import { StillClock } from '../support/clock.ts';
import { createSeededRandom } from '../support/ports.ts';
import { scene } from './support.ts';

test('the console’s training is the one that tests start with the exercise, with drones that fly', async () => {
  const random = createSeededRandom(3);
  const training = await startTraining({ clock: new StillClock(), random, seed: 7 });
  onTestFinished(() => training.close());
  expect(training.switches()).toMatchObject({ arrivals: true, drones: 'some' });
  const login = await fetch(`${training.infrastructureUrl}/login`, {
    method: 'POST',
    body: JSON.stringify(training.credentials),
  });
  const { token } = (await login.json()) as { readonly token: string };
  const { ask } = await scene({ exercise: true });
  for (const path of ['/incidents', '/evidence']) {
    const answer = await fetch(training.infrastructureUrl + path, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toEqual(await (await ask(path)).json());
  }
});
