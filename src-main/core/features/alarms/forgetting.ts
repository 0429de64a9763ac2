import type { AccountEvents, AppContext } from '../context.ts';
import { isMuted, sirenOf, soundedAfter } from './siren.ts';

/**
 * A session that stays locked for too long is forgotten: its vault closes, with the alarms that are stored in it. Then
 * only the siren on the sign-in page can sound. Watches until it is known how the session ended; the returned function
 * stops that.
 */
export function watchForForgetting(
  { store, serverNow }: Pick<AppContext, 'store' | 'serverNow'>,
  { settings, mutedUntil }: AccountEvents['alarms-ended'],
): () => void {
  const look = (): void => {
    const { vault, session } = store.slice('session');
    if (vault !== 'closed' || session.state !== 'none') return;
    stop();
    if (session.ended !== 'forgotten') return;
    const muted = isMuted(mutedUntil, serverNow());
    const alarm = { kind: 'session', level: 3, severity: null } as const;
    store.set(
      'siren',
      sirenOf({
        sounded: soundedAfter(store.slice('siren'), [alarm], muted),
        unacknowledged: 1,
        worstSeverity: null,
        mutedUntil: muted ? mutedUntil : null,
        settings,
      }),
    );
  };
  const stop = store.onChange(look);
  look();
  return stop;
}
