import { expect, test } from 'vitest';
import { record } from './recorded.ts';

test('two recordings are the same', () => {
  expect(record()).toBe(record());
});
