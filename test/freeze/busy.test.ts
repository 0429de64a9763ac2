import { expect, it } from 'vitest';
import { Busy } from './busy.ts';

it('waits for what is asked of a store that a port hands out beside other values', async () => {
  let answer = (_: string): void => undefined;
  class Store {
    read(): Promise<string> {
      return new Promise((resolve) => {
        answer = resolve;
      });
    }
  }
  const busy = new Busy();
  const port = busy.over({ open: () => Promise.resolve({ store: new Store(), lost: null }) });
  const { store, lost } = await port.open();
  expect(lost).toBe(null);
  const read = store.read();
  let settled = 0;
  await busy.settle(() => {
    settled += 1;
    if (settled === 3) answer('read');
    return Promise.resolve();
  });
  expect(settled).toBeGreaterThanOrEqual(3);
  expect(await read).toBe('read');
});
