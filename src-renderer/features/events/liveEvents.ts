import type { EventsState } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { clockTime, tally, type Zone } from '../../base/format.ts';
import type { LiveState } from '../../base/liveState.ts';

/** The event stream in the status bar; null when the deployment names none or no operator is signed in. */
export function streamWords(
  stream: LiveState['stream'],
  { until }: Pick<EventsState, 'until'>,
  zone: Zone,
): string | null {
  switch (stream) {
    case 'off':
      return null;
    case 'live':
      return t('events.live');
    case 'stopped':
      return t('events.liveStopped');
    case 'connecting':
      return t('events.liveConnecting');
    case 'waiting':
      return until === null
        ? t('events.liveWaiting')
        : t('events.liveReconnecting', { time: clockTime(until, zone) });
  }
}

/** `1,204 events, 3 dropped`. */
export function tallyWords({ received, dropped }: EventsState): string {
  const came = t('events.came', {}, received);
  return dropped === 0 ? came : tally([came, t('events.dropped', {}, dropped)]);
}
