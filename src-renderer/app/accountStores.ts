import { createPinia, type Pinia, type Store } from 'pinia';
import { watch } from 'vue';
import { useCommands } from '../base/stores/commands.ts';
import { useMirror } from '../base/stores/mirror.ts';
import { useUi } from '../base/stores/ui.ts';

/**
 * Stores that live as long as the page: the mirror and what is computed from it, what the page itself hears and shows.
 * Every other store belongs to the account for which it was made.
 */
const ofPage: ReadonlySet<string> = new Set([
  'appearance',
  'clock',
  'commands',
  'coordinates',
  'live',
  'mirror',
  'siren',
  'ui',
]);

/**
 * The page's stores. A store of an account is made when something of the open workspace asks for it, and is dropped
 * with all that it holds as soon as the account's vault is closed or locked, or another account has the console. The
 * workspace is drawn again for each account (App.vue), so nothing uses a store that was dropped.
 */
export function createStores(): Pinia {
  const pinia = createPinia();
  const ofAccount = new Set<Store>();
  pinia.use(({ store }) => {
    if (store.$id === 'mirror') dropWithAccount(pinia, ofAccount);
    else if (!ofPage.has(store.$id)) ofAccount.add(store);
  });
  return pinia;
}

function dropWithAccount(pinia: Pinia, ofAccount: Set<Store>): void {
  watch(
    () => useMirror(pinia).account,
    (_account, before) => {
      if (before === null) return;
      for (const store of ofAccount) {
        store.$dispose();
        // Or the next store of this name would begin with it.
        delete pinia.state.value[store.$id];
      }
      ofAccount.clear();
      useUi(pinia).reset();
      useCommands(pinia).reset();
    },
    { flush: 'sync' },
  );
}
