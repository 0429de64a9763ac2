import {
  droneGoneMs,
  droneSilentMs,
  type DroneDetail,
  type DronesRead,
  type DronesState,
  type EvidenceItem,
} from '../../../../src-preload/contract/index.ts';
import { namesInField } from '../../base/shownFields.ts';
import { Timer } from '../../base/timer.ts';
import type { AccountContext } from '../context.ts';
import type { Deployment } from '../deployments/index.ts';
import { droneEventOf, fieldsOf, isNews, type DroneEventRead } from './droneEvent.ts';
import { DroneTable } from './droneTable.ts';
import { readPosition } from './positionReader.ts';
import { Silences, type SilenceSources } from './silence.ts';

export const dronesAtStart: DronesState = {
  source: 'off',
  version: 0,
  received: 0,
  known: 0,
  silent: 0,
  forgotten: 0,
  empty: 'no-stream',
};

/** What drones need of the account. */
export interface DronesAccount extends Pick<AccountContext, 'scope' | 'store' | 'clock' | 'serverNow'> {
  readonly deployment: Pick<Deployment, 'positions' | 'eventsPath'>;
}

/** What drones need of other features. */
export interface DroneSources extends SilenceSources {
  readonly knowsIncident: (id: string) => boolean;
  /** The evidence that names a drone, newest first. */
  readonly evidenceNaming: (id: string) => Promise<readonly NamingItem[]>;
  /** The last version of the accounts before: a page must not mistake another operator's drones for its own. */
  readonly versions: { used: number };
}

type NamingItem = Pick<EvidenceItem, 'cid' | 'incidentId'>;

/** The shortest time between two writes of the slice, and between two looks at the ages; milliseconds. */
const tellMs = 200;
const lookMs = 1_000;
/** A drone's own time further ahead than this must be in a unit that the console does not know. */
const mostAheadMs = 60_000;
/** For so long after a stream was opened again, the service may repeat positions of the time without a stream. */
const repeatedMs = 15_000;

/**
 * Where the drones are, as far as the event stream says so. In memory only: never stored, logged or put into
 * diagnostics. The slice has only counts and a version, so that 5,000 positions a second cost a few pushes; pages ask
 * for the changes.
 */
export class Drones {
  readonly #account: DronesAccount;
  readonly #sources: DroneSources;
  readonly #table: DroneTable;
  readonly #silences: Silences;
  #received = 0;
  #toldAt = -Infinity;
  readonly #tellTimer: Timer;
  readonly #lookTimer: Timer;

  constructor(account: DronesAccount, sources: DroneSources) {
    const { scope, store, clock } = account;
    const { versions } = sources;
    this.#account = account;
    this.#sources = sources;
    this.#tellTimer = new Timer(clock, () => this.#tell());
    this.#lookTimer = new Timer(clock, () => this.#look());
    this.#table = new DroneTable(versions.used, (ids) => this.#silences.forgotten(ids));
    this.#silences = new Silences(sources);
    scope.onEnd(store.watch('events', () => this.#tell()));
    scope.onEnd(() => {
      this.#tellTimer.stop();
      this.#lookTimer.stop();
      versions.used = this.#table.version + 1;
      store.set('drones', dronesAtStart);
    });
  }

  /**
   * Takes an event that is a position. `news`: its texts differ from the drone's event before, so it may be about
   * something else too. Null: it is no position.
   */
  take(event: DroneEventRead): 'position' | 'news' | null {
    const { clock, serverNow, deployment } = this.#account;
    const { knowsIncident } = this.#sources;
    const position = readPosition({ ...event, knowsIncident }, deployment.positions);
    if (position === null) return null;
    const now = serverNow();
    const { takenAt } = position;
    // The time is in an unknown unit, or the position is old.
    if (takenAt !== null && (takenAt > now + mostAheadMs || takenAt <= now - droneGoneMs)) return null;
    const latest = droneEventOf(event);
    const news = isNews(latest, this.#table.get(position.id)?.event);
    if (takenAt === null && this.#mayBeRepeated()) return news ? 'news' : 'position';
    const at = Math.min(now, takenAt ?? now);
    this.#table.take(position, latest, at, clock.elapsed() - (now - at));
    if (now - at < droneSilentMs) this.#silences.reports(position.id);
    this.#received += 1;
    this.#tellSoon();
    this.#lookTimer.setOnce(lookMs);
    return news ? 'news' : 'position';
  }

  /** Whether a position without a time may be an old one, which says nothing of where the drone is now. */
  #mayBeRepeated(): boolean {
    const { clock } = this.#account;
    const stream = this.#sources.heard();
    return stream !== null && stream.isAgain && clock.elapsed() - stream.since < repeatedMs;
  }

  /** The drones that changed after a version; all drones for null. */
  read(since: number | null): DronesRead {
    return this.#table.read(since);
  }

  /** Null for an unknown drone. */
  async detail(id: string): Promise<DroneDetail | null> {
    const event = this.#table.get(id)?.event;
    if (event === undefined) return null;
    const { store } = this.#account;
    const { kind, missionId, incidentId } = event;
    const naming = store.slice('missions').missions.filter(({ fields }) => namesInField(fields, id));
    const missionIds = [...(missionId === null ? [] : [missionId]), ...naming.map((mission) => mission.id)];
    const items = await this.#sources.evidenceNaming(id);
    const cids = items.flatMap(({ cid }) => (cid === null ? [] : [cid]));
    const incidentIds = [incidentId, ...items.map((item) => item.incidentId)].filter((one) => one !== null);
    return {
      kind,
      fields: fieldsOf(event),
      missionIds: distinct(missionIds),
      incidentIds: distinct(incidentIds),
      cids: distinct(cids),
      evidence: items.length,
    };
  }

  #look(): void {
    this.#silences.look(this.#table.values());
    this.#table.forget(this.#account.serverNow());
    if (this.#table.size > 0) this.#lookTimer.set(lookMs);
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#tellTimer.isSet) return;
    const wait = this.#toldAt + tellMs - this.#account.clock.elapsed();
    if (wait <= 0) this.#tell();
    else this.#tellTimer.set(wait);
  }

  #tell(): void {
    const { store, clock, deployment } = this.#account;
    const { positions: rule } = deployment;
    this.#tellTimer.stop();
    this.#toldAt = clock.elapsed();
    store.set('drones', {
      source: typeof rule === 'string' ? rule : 'fields',
      version: this.#table.version,
      received: this.#received,
      known: this.#table.size,
      silent: this.#silent(),
      forgotten: this.#table.forgotten,
      empty: this.#empty(),
    });
  }

  #silent(): number {
    const now = this.#account.serverNow();
    let silent = 0;
    for (const { at } of this.#table.values()) if (now - at >= droneSilentMs) silent += 1;
    return silent;
  }

  #empty(): DronesState['empty'] {
    const { store, deployment } = this.#account;
    if (deployment.positions === 'off') return 'off';
    if (this.#table.size > 0) return null;
    const { state, failure } = store.slice('events');
    // Off without a failure: there is no session.
    if (deployment.eventsPath === null || (state === 'off' && failure !== null)) return 'no-stream';
    if (state !== 'open') return 'stream-away';
    return this.#received === 0 ? 'none-yet' : 'none-left';
  }
}

const mostNamed = 64;
const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, mostNamed);
