import { expect, test } from 'vitest';
import { environmentFor } from './stages.ts';

test('colours are for a terminal, and for who asks for them', () => {
  expect(environmentFor({ A: 'b' }, false)).toEqual({ A: 'b', NO_COLOR: '1' });
  expect(environmentFor({ A: 'b' }, true)).toEqual({ A: 'b' });
  expect(environmentFor({ FORCE_COLOR: '1' }, false)).toEqual({ FORCE_COLOR: '1' });
});
