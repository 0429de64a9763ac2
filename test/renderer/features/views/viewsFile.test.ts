import fc from 'fast-check';
import { expect, it } from 'vitest';
import { namesInFile } from '../../../../src-renderer/features/views/viewsStore.ts';

it('finds the names in a file of views, each once and as they will be kept', () => {
  const views = [{ name: 'North' }, { name: ' South ' }, { name: 'North' }, { name: 7 }, null, {}];
  expect(namesInFile(`\uFEFF${JSON.stringify({ views })}`)).toEqual(['North', 'South']);
});

it('finds none in anything else, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(Array.isArray(namesInFile(text))).toBe(true);
    }),
  );
  for (const text of ['', '{', 'null', '[]', '{"views":{"name":"x"}}', '{"__proto__":{"views":[]}}']) {
    expect(namesInFile(text)).toEqual([]);
  }
});
