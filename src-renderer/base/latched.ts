import { shallowRef, watch, type ShallowRef } from 'vue';

/**
 * What was asked last: a question stays as it was asked while it is read, and while its dialog goes. Null before
 * the first one.
 *
 * @param asked what is in question now; null while nothing is.
 * @param begin called as another question is asked.
 */
export function useLatched<T>(
  asked: () => T | null,
  begin?: (question: T) => void,
): Readonly<ShallowRef<T | null>> {
  const last = shallowRef<T | null>(null);
  watch(
    asked,
    (question) => {
      if (question === null) return;
      last.value = question;
      begin?.(question);
    },
    { immediate: true },
  );
  return last;
}
