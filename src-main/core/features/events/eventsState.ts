import type { EventsState } from '../../../../src-preload/contract/index.ts';

export const eventsAtStart: EventsState = {
  state: 'off',
  since: null,
  until: null,
  failure: null,
  received: 0,
  dropped: 0,
  recent: [],
};
