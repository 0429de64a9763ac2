import type { ConsoleState } from '../../../../src-preload/contract/index.ts';
import type { Words } from '../words.ts';

/** The state in the tray, the first that applies. `idle`: no operator is signed in. */
export type TrayKind = 'alarms' | 'locked' | 'idle' | 'offline' | 'degraded' | 'online';

export interface TrayState {
  readonly kind: TrayKind;
  /** All that applies, in words: counts and states, never a name, a place or an incident. */
  readonly tooltip: string;
  /** Whether there is a session to lock. */
  readonly lockable: boolean;
}

export type TraySlices = Pick<ConsoleState, 'app' | 'connection' | 'session' | 'lock' | 'siren'>;

/** The connection to the service, in the words of the page's status bar. */
function levelOf({
  connection: { infrastructure, coordination },
  session: { session },
}: TraySlices): 'online' | 'degraded' | 'offline' {
  if (infrastructure.state === 'offline' || infrastructure.state === 'unknown') return 'offline';
  const withSession = session.state === 'active' || session.state === 'renewing';
  const whole = infrastructure.state === 'online' && ['online', 'unknown'].includes(coordination.state);
  return withSession && whole ? 'online' : 'degraded';
}

export function trayStateOf(slices: TraySlices, { text }: Pick<Words, 'text'>): TrayState {
  const { app, session, lock, siren } = slices;
  const tooltip = (...states: readonly string[]): string =>
    ['Field Console', ...(app.training ? [text('tray.training')] : []), ...states].join(' · ');
  const open = session.vault === 'open';
  if (!open) return { kind: 'idle', tooltip: tooltip(text('tray.signedOut')), lockable: false };
  const level = levelOf(slices);
  const waiting = siren.unacknowledged;
  const states = [
    ...(waiting === 0 ? [] : [text('tray.alarms', { n: waiting })]),
    text(`tray.${level}`),
    ...(lock.locked ? [text('tray.locked')] : []),
  ];
  const kind = waiting > 0 ? 'alarms' : lock.locked ? 'locked' : level;
  return { kind, tooltip: tooltip(...states), lockable: !lock.locked };
}
