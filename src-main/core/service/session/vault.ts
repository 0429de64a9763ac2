/**
 * The state machine of the vault.
 *
 *   closed ──opening──► opening ──opened──► open
 *     ▲                    │ │               ▲ │  opening: stays open (the password is proved again)
 *     │                    │ └──sealed──► sealed
 *     └──────closed────────┴─────────────────┴─┘
 *
 * `sealed`: the service accepted the password, but the vault has another one. It opens with that one, or is set aside
 * for a new vault.
 */
export type VaultState = 'closed' | 'opening' | 'sealed' | 'open';
export type VaultEvent = 'opening' | 'opened' | 'sealed' | 'closed';

export function nextVault(state: VaultState, event: VaultEvent): VaultState {
  switch (event) {
    case 'opening':
      return state === 'closed' ? 'opening' : state;
    case 'opened':
      return state === 'closed' ? 'closed' : 'open';
    case 'sealed':
      return state === 'opening' ? 'sealed' : state;
    case 'closed':
      return 'closed';
  }
}
