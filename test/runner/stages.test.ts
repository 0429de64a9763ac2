import { expect, test } from 'vitest';
import { withoutColours } from './stages.ts';

test('colours are for a terminal, and for who asks for them', () => {
  expect(withoutColours({}, false)).toEqual({ NO_COLOR: '1' });
  expect(withoutColours({}, true)).toEqual({});
  expect(withoutColours({ FORCE_COLOR: '1' }, false)).toEqual({});
});
