import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shallowRef } from 'vue';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import { failed, ok, type Preferences, type Result } from '../../../../src-preload/contract/index.ts';
import { askedPreferences } from '../../../../src-renderer/base/stores/askedPreferences.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const base: Preferences = { ...defaultPreferences, theme: 'day', language: 'en', zone: 'utc' };
const refused = failed(makeFailure({ code: 'policy-forbids', at: 0 }));

function open() {
  const known = shallowRef<Preferences | undefined>(base);
  const { preferences, ask } = askedPreferences(() => known.value);
  const asked = (change: Partial<Preferences>) => {
    let answer: (result: Result<null>) => void = () => undefined;
    const settled = ask(change, new Promise<Result<null>>((resolve) => (answer = resolve)));
    return async (result: Result<null>) => {
      answer(result);
      expect(await settled).toBe(result);
    };
  };
  return { known, preferences, ask, asked };
}

it('shows what is asked for at once, and leaves the rest as the console says it', () => {
  const { preferences, asked } = open();
  asked({ language: 'fr' });
  expect(preferences.value).toEqual({ ...base, language: 'fr' });
});

it('takes back what is refused', async () => {
  const { preferences, asked } = open();
  const answer = asked({ idleLockMinutes: 5 });
  await answer(refused);
  expect(preferences.value).toEqual(base);
});

it('takes back what was never answered', async () => {
  const { preferences, ask } = open();
  await expect(ask({ language: 'fr' }, Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(preferences.value).toEqual(base);
});

it('does not fall back between the answer and a push that comes after it', async () => {
  const { known, preferences, asked } = open();
  const answer = asked({ language: 'fr' });
  await answer(ok(null));
  expect(preferences.value?.language).toBe('fr');
  known.value = { ...base, language: 'fr' };
  expect(preferences.value?.language).toBe('fr');
  known.value = { ...base, language: 'es' };
  expect(preferences.value?.language, 'what another window asked for afterwards').toBe('es');
});

it('follows the console where the push came before the answer', async () => {
  const { known, preferences, asked } = open();
  const answer = asked({ theme: 'night' });
  known.value = { ...base, theme: 'night' };
  await answer(ok(null));
  known.value = { ...base, theme: 'red' };
  expect(preferences.value?.theme).toBe('red');
});

it('believes the console after a second, whatever was granted', async () => {
  const { preferences, asked } = open();
  const answer = asked({ theme: 'night' });
  await answer(ok(null));
  vi.advanceTimersByTime(900);
  expect(preferences.value?.theme).toBe('night');
  vi.advanceTimersByTime(200);
  expect(preferences.value?.theme).toBe('day');
});

it('keeps a later wish while an earlier one is refused', async () => {
  const { preferences, asked } = open();
  const first = asked({ theme: 'night' });
  asked({ theme: 'red', zone: 'local' });
  await first(refused);
  expect(preferences.value).toEqual({ ...base, theme: 'red', zone: 'local' });
});

it('shows nothing while the console withholds its preferences', () => {
  const { known, preferences, asked } = open();
  asked({ theme: 'night' });
  known.value = undefined;
  expect(preferences.value).toBeUndefined();
});
