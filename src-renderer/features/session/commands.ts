import { computed, type ComputedRef } from 'vue';
import { t } from '../../i18n/index.ts';
import type { Action } from '../../base/action.ts';
import { useCommands } from '../../base/stores/commands.ts';

/** To leave the console, for a while or for good. */
export function accountActions(): ComputedRef<readonly Action[]> {
  const commands = useCommands();

  return computed(() => {
    const account = { group: 'account', unavailable: null } as const;
    return [
      { ...account, id: 'lock', name: t('commands.account.lock'), run: () => void commands.lock() },
      {
        ...account,
        id: 'sign-out',
        name: t('commands.account.signOut'),
        confirm: { question: t('commands.account.signOutQuestion'), does: t('commands.account.signOut') },
        run: () => void commands.signOut(),
      },
    ] satisfies readonly Action[];
  });
}
