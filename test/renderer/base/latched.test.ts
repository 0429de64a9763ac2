import { expect, it } from 'vitest';
import { effectScope, nextTick, shallowRef } from 'vue';
import { useLatched } from '../../../src-renderer/base/latched.ts';

it('keeps a question until another is asked, and says when one begins', async () => {
  const question = shallowRef<string | null>(null);
  const begun: string[] = [];
  const scope = effectScope();
  const last = scope.run(() =>
    useLatched(
      () => question.value,
      (one) => begun.push(one),
    ),
  );
  expect(last?.value).toBeNull();
  for (const [asked, kept] of [
    ['first', 'first'],
    [null, 'first'],
    ['second', 'second'],
    [null, 'second'],
  ] as const) {
    question.value = asked;
    await nextTick();
    expect(last?.value).toBe(kept);
  }
  expect(begun).toEqual(['first', 'second']);
  scope.stop();
});

it('has a question that is asked from the beginning', () => {
  const scope = effectScope();
  expect(scope.run(() => useLatched(() => 'asked'))?.value).toBe('asked');
  scope.stop();
});
