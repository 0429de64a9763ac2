import { expect, test } from 'vitest';
import type { DeviceSecretReading } from '../../../../src-main/core/base/ports.ts';
import { waitForKeyStore } from '../../../../src-main/hosts/desktop/settings/keyStore.ts';
import { createVirtualClock } from '../../../support/clock.ts';

type Answer = Exclude<DeviceSecretReading, { readonly kind: 'waiting' }>;
const secret = new Uint8Array(32).fill(7);

function keyStore() {
  const clock = createVirtualClock();
  const states: string[] = [];
  const prompts: ((answer: Answer) => void)[] = [];
  const source = waitForKeyStore({
    ask: () => new Promise((resolve) => prompts.push(resolve)),
    clock,
    onState: (state) => states.push(state),
  });
  return { clock, states, prompts, source };
}

test('a key store that does not answer is waited for no longer than 30 s, and is asked once', async () => {
  const { clock, prompts, source, states } = keyStore();
  let first: DeviceSecretReading | null = null;
  void source.read().then((reading) => (first = reading));
  void source.read();
  await clock.advance(29_999);
  expect(first).toBeNull();
  await clock.advance(1);
  expect(first).toEqual({ kind: 'waiting' });
  expect(source.peek()).toEqual({ kind: 'waiting' });
  expect(prompts).toHaveLength(1);
  expect(states).toEqual(['waiting']);
  expect(clock.pending()).toBe(0);
});

test('an answer that comes late is taken, by whoever waits then and by every later reading', async () => {
  const { clock, prompts, source, states } = keyStore();
  void source.read();
  await clock.advance(60_000);
  const waiting = source.read();
  prompts[0]?.({ kind: 'secret', secret });
  expect(await waiting).toEqual({ kind: 'secret', secret });
  expect(await source.read()).toEqual({ kind: 'secret', secret });
  expect(source.peek()).toEqual({ kind: 'secret', secret });
  expect(states).toEqual(['waiting', 'open']);
  expect(prompts).toHaveLength(1);
  expect(clock.pending()).toBe(0);
});

test('a refusal is asked again, so that nobody is locked out once it opens; a system without one is not', async () => {
  const { prompts, source, states } = keyStore();
  const refused = source.read();
  prompts[0]?.({ kind: 'closed' });
  expect(await refused).toEqual({ kind: 'closed' });
  expect(source.peek()).toEqual({ kind: 'closed' });
  const again = source.read();
  prompts[1]?.({ kind: 'none' });
  expect(await again).toEqual({ kind: 'none' });
  expect(await source.read()).toEqual({ kind: 'none' });
  expect(prompts).toHaveLength(2);
  expect(states).toEqual(['waiting', 'closed', 'waiting', 'not-used']);
});
