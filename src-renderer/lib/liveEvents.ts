import type { EventsState } from '../../src-preload/contract/index.ts';
import { count, counted, shortTime, type Zone } from './format.ts';

/** The event stream in the status bar; null when the deployment names none or nobody is signed in. */
export function streamWords({ state, until }: EventsState, zone: Zone): string | null {
  switch (state) {
    case 'off':
      return null;
    case 'open':
      return 'Live';
    case 'connecting':
      return 'Live: connecting';
    case 'waiting':
      return until === null ? 'Live: waiting' : `Live: reconnecting at ${shortTime(until, zone)}`;
  }
}

/** `1,204 events, 3 dropped`. */
export function tallyWords({ received, dropped }: EventsState): string {
  const came = counted(received, 'event', 'events');
  return dropped === 0 ? came : `${came}, ${count(dropped)} dropped as too large or unreadable`;
}
