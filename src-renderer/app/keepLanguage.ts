import { useEventListener } from '@vueuse/core';
import { computed, shallowRef, watch, watchEffect } from 'vue';
import { languageOf, type Language } from '../../src-preload/contract/index.ts';
import { direction, i18n, language } from '../i18n/index.ts';
import { loadMessages } from '../i18n/languages.ts';
import { messageZone } from '../base/messages.ts';
import { pageFailure } from '../base/failure.ts';
import { useCommands } from '../base/stores/commands.ts';
import { useMirror } from '../base/stores/mirror.ts';

/**
 * Keeps the page in the language of the preferences, or of the computer's owner, without a reload, and the
 * document's `lang` and `dir` with it. A language whose words cannot be read is not turned to, and the page
 * says so. Call once, from the page's root.
 */
export function keepLanguage(load = loadMessages): void {
  const mirror = useMirror();
  const commands = useCommands();
  const wished = shallowRef(navigator.languages);
  useEventListener(window, 'languagechange', () => {
    wished.value = navigator.languages;
  });
  const wanted = computed(() => languageOf(mirror.preferences?.language ?? 'system', wished.value));

  const loaded = new Set<Language>(['en']);
  async function turnTo(next: Language): Promise<void> {
    if (!loaded.has(next)) {
      try {
        i18n.global.setLocaleMessage(next, await load(next));
        loaded.add(next);
      } catch {
        const failure = pageFailure('internal', 'language.notLoaded', 'language.notLoadedRemedy');
        if (wanted.value === next) commands.report('page', failure);
        return;
      }
    }
    // Another one may have been chosen meanwhile.
    if (wanted.value === next) i18n.global.locale.value = next;
  }
  watch(wanted, turnTo, { immediate: true });

  watchEffect(
    () => {
      document.documentElement.lang = language.value;
      document.documentElement.dir = direction.value;
    },
    { flush: 'sync' },
  );
  watchEffect(() => {
    messageZone.value = mirror.zone;
  });
}
