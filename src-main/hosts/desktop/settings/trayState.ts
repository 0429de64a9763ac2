import type { ConsoleState } from '../../../../src-preload/contract/index.ts';

/** What the tray shows, the first that holds: `idle` is a console that nobody is signed in to. */
export type TrayKind = 'alarms' | 'locked' | 'idle' | 'offline' | 'degraded' | 'online';

export interface TrayState {
  readonly kind: TrayKind;
  /** Everything that holds, in words: counts and states, never a name, a place or an incident. */
  readonly tooltip: string;
  /** Whether there is something to lock. */
  readonly lockable: boolean;
}

export type TraySlices = Pick<ConsoleState, 'app' | 'connection' | 'session' | 'lock' | 'siren'>;

/** How the console stands with the service, in the words of the page's status bar. */
function standingOf({
  connection: { infrastructure, coordination },
  session: { session },
}: TraySlices): 'online' | 'degraded' | 'offline' {
  if (infrastructure.state === 'offline' || infrastructure.state === 'unknown') return 'offline';
  const withSession = session.state === 'active' || session.state === 'renewing';
  const whole = infrastructure.state === 'online' && ['online', 'unknown'].includes(coordination.state);
  return withSession && whole ? 'online' : 'degraded';
}

export function trayStateOf(slices: TraySlices): TrayState {
  const { app, session, lock, siren } = slices;
  const title = app.training ? 'TRAINING: Field Console' : 'Field Console';
  const open = session.vault === 'open';
  if (!open) return { kind: 'idle', tooltip: `${title}: not signed in`, lockable: false };
  const standing = standingOf(slices);
  const waiting = siren.unacknowledged;
  const words = [
    ...(waiting === 0 ? [] : [waiting === 1 ? '1 alarm waiting' : `${waiting} alarms waiting`]),
    standing,
    ...(lock.locked ? ['locked'] : []),
  ];
  const kind = waiting > 0 ? 'alarms' : lock.locked ? 'locked' : standing;
  return { kind, tooltip: `${title}: ${words.join(', ')}`, lockable: !lock.locked };
}
