import type { ServerResponse } from 'node:http';
import { momentsOf } from '../../../../src-main/core/base/failure.ts';
import type { EventSources } from '../../../../src-main/core/features/events/eventIntake.ts';
import { LiveEvents } from '../../../../src-main/core/features/events/liveEvents.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import { eventsSchema, type EventsState, type LiveEvent } from '../../../../src-preload/contract/index.ts';
import { step, stepUntil, type VirtualClock } from '../../../support/clock.ts';
import { accountLife, type AccountLife } from '../../accountLife.ts';
import { createRig, signedIn, type Rig, type Seen } from '../../service/transport/service.ts';
import { createTestStore } from '../../state/storeFixtures.ts';

export const heartbeatMs = 45_000;

export interface EventRig {
  readonly rig: Rig;
  readonly clock: VirtualClock;
  readonly store: ConsoleStore;
  readonly live: LiveEvents & AccountLife;
  /** The requests for the stream, and when they came on the virtual clock. */
  readonly asked: { readonly at: number; readonly seen: Seen }[];
  /** The streams that were opened, the latest last. */
  readonly streams: ServerResponse[];
  readonly incidents: string[];
  readonly missions: { readonly id: string; readonly event: LiveEvent }[];
  readonly evidence: number[];
  session: 'live' | 'waiting' | 'ended';
  /** What the next requests are answered with; null for a stream. */
  status: number | null;
  headers: Record<string, string>;
  state(): EventsState;
  /** Sends text or bytes on the latest stream. */
  send(text: string | Uint8Array): void;
  /** Lets virtual and real time pass until `condition` holds. */
  until(condition: () => boolean, what: string, stepMs?: number): Promise<void>;
  /** Lets virtual time pass, with real time for the sockets. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** What the stream needs of a deployment; `eventsPath` null for one without a stream. */
export const eventDeployment = (eventsPath: string | null) => ({
  eventsPath,
  missions: { idField: 'mission_id' },
  timeouts: { attemptMs: 15_000, totalMs: 45_000, eventsMs: heartbeatMs },
});

/** Live events with the real transport and session, on a real server. */
export async function createEventRig({
  path = '/events',
  takePosition = () => null,
}: Partial<Pick<EventSources, 'takePosition'>> & { readonly path?: string | null } = {}): Promise<EventRig> {
  const rig = await signedIn(await createRig());
  const { clock } = rig.ports;
  const store = createTestStore();
  store.patch('session', { session: { state: 'active', expiresAt: 1 } });
  const known = new Set(['INC-1', 'INC-2']);
  const er: EventRig = {
    rig,
    clock,
    store,
    live: accountLife(
      rig.ports,
      (opening) =>
        new LiveEvents(
          {
            ...rig.ports,
            ...opening,
            coordination: rig.link.coordination,
            store,
            ...momentsOf(() => rig.serverTime.serverNow()),
            deployment: eventDeployment(path),
          },
          {
            knowsIncident: (id) => known.has(id),
            takePosition,
            onIncident: (id) => er.incidents.push(id),
            onMission: (id, event) => er.missions.push({ id, event }),
            onEvidence: () => er.evidence.push(clock.elapsed()),
            session: () => er.session,
          },
        ),
      (live) => {
        live.open();
      },
    ),
    asked: [],
    streams: [],
    incidents: [],
    missions: [],
    evidence: [],
    session: 'live',
    status: null,
    headers: {},
    state: () => eventsSchema.parse(store.slice('events')),
    send(text) {
      er.streams.at(-1)?.write(text);
    },
    async until(condition, what, stepMs = 20) {
      await stepUntil(clock, condition, { what, stepMs });
    },
    async pass(ms) {
      const stride = Math.max(20, ms / 40);
      for (let passed = 0; passed < ms; passed += stride) {
        await clock.advance(stride);
        // Between two tries nothing is on its way, so real time brings nothing.
        if (store.slice('events').state !== 'waiting') await step(clock, 0);
      }
      await step(clock, 0);
    },
    async close() {
      await er.live.stop();
      await rig.close();
    },
  };
  rig.service.on('/events', (seen, response) => {
    er.asked.push({ at: clock.elapsed(), seen });
    if (er.status !== null) {
      response.writeHead(er.status, { 'content-type': 'application/json', ...er.headers });
      response.end(er.status === 204 ? undefined : JSON.stringify({ error: 'as the test wants it' }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...er.headers });
    response.flushHeaders();
    er.streams.push(response);
  });
  return er;
}
