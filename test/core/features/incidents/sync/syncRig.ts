import { gzipSync } from 'node:zlib';
import { momentsOf } from '../../../../../src-main/core/base/failure.ts';
import { Scope } from '../../../../../src-main/core/base/scope.ts';
import { IncidentSync } from '../../../../../src-main/core/features/incidents/sync/incidentSync.ts';
import type { SyncAccount } from '../../../../../src-main/core/features/incidents/sync/syncAccount.ts';
import type { ConsoleStore } from '../../../../../src-main/core/state/consoleStore.ts';
import {
  incidentsSchema,
  syncSchema,
  type IncidentsMeta,
  type SyncState,
} from '../../../../../src-preload/contract/index.ts';
import { step, stepUntil, type VirtualClock } from '../../../../support/clock.ts';
import { createRig, json, signedIn, type Rig } from '../../../service/transport/service.ts';
import { createFeatureRig } from '../../../featureRig.ts';
import { createTestStore } from '../../../state/storeFixtures.ts';
import type { ListService } from './listService.ts';
import { syncDeployment, type SyncPlan } from './syncDeployment.ts';
import { english } from '../../../../../src-main/core/base/messages/message.ts';

export const intervalMs = 15_000;
/** Of a request and of its answer, as a service sends them: the same answer with 304 has no more. */
const headBytes = 550;

export interface SyncRig {
  readonly rig: Rig;
  readonly clock: VirtualClock;
  readonly store: ConsoleStore;
  readonly sync: IncidentSync;
  /** The queries of the requests for incidents, in order, and when they came on the virtual clock. */
  readonly asked: {
    readonly at: number;
    readonly query: Record<string, string>;
    readonly status: number;
    /** Of the request and its answer, without the connection's. */
    readonly bytes: number;
  }[];
  readonly ledgers: string[];
  readonly notices: string[];
  meta(): IncidentsMeta;
  state(): SyncState;
  known(): string[];
  /** What the next requests are answered with instead, as a status; null for the service's own answer. */
  fail: (query: Record<string, string>) => number | null;
  /** The validators of an answer, as headers; null for none. A request with one of them is answered by 304. */
  tag: (query: Record<string, string>, body: string) => Record<string, string> | null;
  /** Lets virtual and real time pass until `condition` holds. */
  until(condition: () => boolean, what: string): Promise<void>;
  /** Lets virtual time pass, with real time for the sockets. */
  pass(ms: number): Promise<void>;
  /** Ends the sync as the leaving of a vault does. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface SyncRigOptions extends SyncPlan {
  readonly store?: ConsoleStore;
  readonly line?: SyncAccount['line'];
  /** Answers where the service does not. */
  readonly api?: SyncAccount['infrastructure'];
}

/** A sync, with the real transport and session, on a real server that answers as `service` does. */
export async function createSyncRig(service: ListService, options: SyncRigOptions = {}): Promise<SyncRig> {
  const rig = await signedIn(await createRig());
  const { clock } = rig.ports;
  const { store = createTestStore(), line = rig.link.line, api = rig.link.infrastructure, ...plan } = options;
  const asked: SyncRig['asked'][number][] = [];
  const ledgers: string[] = [];
  const notices: string[] = [];
  let underWay = 0;
  const scope = new Scope(rig.ports);
  const sync = new IncidentSync({
    ...createFeatureRig({ ports: rig.ports, store }),
    ...{ scope, clock: scope.clock, records: null, username: 'canary' },
    ...momentsOf(rig.serverTime.serverNow),
    serverTime: rig.serverTime,
    line,
    deployment: syncDeployment(plan),
    vault: {
      note: (notice) => void notices.push(english(notice)),
      noteLedger: (text) => void ledgers.push(text),
    },
    infrastructure: {
      async listIncidents(params, call) {
        underWay += 1;
        try {
          return await api.listIncidents(params, call);
        } finally {
          underWay -= 1;
        }
      },
    },
  });
  const sr: SyncRig = {
    rig,
    clock,
    store,
    sync,
    asked,
    ledgers,
    notices,
    meta: () => incidentsSchema.parse(store.slice('incidents')),
    state: () => syncSchema.parse(store.slice('sync')),
    known: () => [...store.incidents.ids()].sort(),
    fail: () => null,
    tag: () => null,
    async until(condition, what) {
      await stepUntil(clock, condition, { what, stepMs: 5 });
    },
    async pass(ms) {
      const stride = Math.max(50, ms / 150);
      for (let passed = 0; passed < ms; passed += stride) {
        await clock.advance(stride);
        // Where no answer is awaited, real time brings nothing: most steps of a long pass are such.
        if (underWay > 0) await step(clock, 0);
      }
    },
    stop: () => scope[Symbol.asyncDispose](),
    async close() {
      await sr.stop();
      await rig.close();
    },
  };
  rig.service.on('/incidents', (seen, response) => {
    const query = Object.fromEntries(seen.query);
    const reply = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      const text = body === null ? '' : JSON.stringify(body);
      asked.push({ at: clock.elapsed(), query, status, bytes: headBytes + gzipSync(text).byteLength });
      if (body === null) response.writeHead(status, headers).end();
      else json(response, status, body, headers);
    };
    const failure = sr.fail(query);
    if (failure !== null) return reply(failure, { error: 'as the test wants it' });
    const { body, headers } = service.answer(query);
    const tags = sr.tag(query, JSON.stringify(body)) ?? {};
    const known = [seen.headers['if-none-match'], seen.headers['if-modified-since']];
    if (Object.values(tags).some((tag) => known.includes(tag))) return reply(304, null, tags);
    return reply(200, body, { ...headers, ...tags });
  });
  return sr;
}

/** All was read once, as far as that is possible. */
export const wasRead = ({ state }: SyncRig): boolean => {
  const { phase, uncertain, windows } = state();
  return (
    phase === 'rolling' && windows.planned > 0 && uncertain.windows.every(({ why }) => why === 'saturated')
  );
};
