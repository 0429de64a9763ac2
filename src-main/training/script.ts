import type { Clock } from '../core/base/ports.ts';
import type { EventLog } from './eventLog.ts';
import type { Evidence } from './evidence.ts';
import type { WireIncident } from './incident.ts';
import type { IncidentStore } from './incidentStore.ts';
import type { IntegrationField, Integrations } from './integrations.ts';
import type { Missions } from './missions.ts';
import { seeded, type Seeded } from './seeded.ts';
import type { WorldOptions } from './worldOptions.ts';

const second = 1000;
const meanArrivalMs = 45 * second;
const meanChangeMs = 70 * second;
const meanUpMs = 240 * second;
const meanDownMs = 50 * second;
const meanMissionMs = 240 * second;
const meanNewsMs = 110 * second;

const types = ['earthquake', 'fire', 'flood', 'landslide', 'storm', 'explosion'] as const;
/** Kinds that clients do not know. */
const news = ['fleet.battery', 'fleet.returned', 'weather.advisory'] as const;
const ledgerTroubles = ['degraded', 'down'] as const;

/**
 * Automatic events in training: incidents arrive, open ones change, integrations fail and recover. Every process has a
 * separate random stream, so that the same seed gives the same events whichever of them is switched off.
 */
export class Script {
  readonly #options: WorldOptions;
  readonly #incidents: IncidentStore;
  readonly #integrations: Integrations;
  readonly #evidence: Evidence;
  readonly #arrivals: Seeded;
  readonly #changes: Seeded;
  readonly #byHand: Seeded;
  readonly #failures: Readonly<Record<IntegrationField, Seeded>>;
  #cancelIncidents: (() => void)[] = [];
  #cancelIntegrations: (() => void)[] = [];
  #made = 0;

  constructor(
    options: WorldOptions,
    incidents: IncidentStore,
    integrations: Integrations,
    evidence: Evidence,
  ) {
    this.#options = options;
    this.#incidents = incidents;
    this.#integrations = integrations;
    this.#evidence = evidence;
    this.#arrivals = seeded(options.seed, 'arrivals');
    this.#changes = seeded(options.seed, 'changes');
    this.#byHand = seeded(options.seed, 'by hand');
    this.#failures = {
      ai_analysis: seeded(options.seed, 'ai_analysis'),
      ipfs_pinning: seeded(options.seed, 'ipfs_pinning'),
      ledger: seeded(options.seed, 'ledger'),
    };
  }

  /** Starts or stops arrivals and the changes of open incidents. */
  setArrivals(on: boolean): void {
    for (const cancel of this.#cancelIncidents) cancel();
    const { clock } = this.#options;
    this.#cancelIncidents = on
      ? [
          repeat(
            clock,
            () => this.#arrivals.wait(meanArrivalMs),
            () => void this.#arrive(this.#arrivals),
          ),
          repeat(
            clock,
            () => this.#changes.wait(meanChangeMs),
            () => this.#changeOne(),
          ),
        ]
      : [];
  }

  /** Starts or stops the failures of integrations; where they stand when stopped, they stay. */
  setIntegrations(on: boolean): void {
    for (const cancel of this.#cancelIntegrations) cancel();
    const integrations = this.#integrations;
    this.#cancelIntegrations = on
      ? [
          this.#alternate('ai_analysis', (up) => integrations.set('ai_analysis', up)),
          this.#alternate('ipfs_pinning', (up) => integrations.set('ipfs_pinning', up)),
          this.#alternate('ledger', (up, draw) =>
            integrations.set('ledger', up ? 'ok' : draw.pick(ledgerTroubles)),
          ),
        ]
      : [];
  }

  /** Makes an incident now, near an existing one; what `partial` gives is taken as it is. */
  addIncident(partial: Partial<WireIncident> = {}): WireIncident {
    return this.#arrive(this.#byHand, partial);
  }

  close(): void {
    this.setArrivals(false);
    this.setIntegrations(false);
  }

  #arrive(draw: Seeded, partial: Partial<WireIncident> = {}): WireIncident {
    const incidents = this.#incidents;
    this.#made += 1;
    const neighbour = incidents.at(draw.below(Math.max(1, incidents.size)))?.location;
    const createdAt = partial.created_at === undefined ? this.#options.now() : Date.parse(partial.created_at);
    const incident: WireIncident = {
      id: `tr${Math.floor(draw.next() * 0xffffffff).toString(36)}-${this.#made}`,
      incident_type: draw.pick(types),
      severity: drawSeverity(draw),
      status: 'open',
      evidence_count: 0,
      blockchain_records: [],
      location: {
        latitude: round(clamp((neighbour?.latitude ?? 0) + (draw.next() - 0.5) * 0.6, 89.9)),
        longitude: round(clamp((neighbour?.longitude ?? 0) + (draw.next() - 0.5) * 0.6, 179.9)),
        altitude: Math.round(draw.next() * 900),
      },
      ...partial,
      created_at: new Date(createdAt).toISOString(),
    };
    incidents.add(incident, createdAt);
    return incident;
  }

  /** An open incident, the newer the likelier, is resolved or gains evidence, an anchor or both. */
  #changeOne(): void {
    const incidents = this.#incidents;
    const draw = this.#changes;
    const from = incidents.size - 1 - Math.floor(draw.next() ** 2 * incidents.size);
    const kind = draw.below(3);
    const hash = Array.from({ length: 8 }, () => hex32(draw)).join('');
    for (let index = from; index >= 0; index -= 1) {
      const incident = incidents.at(index);
      if (incident?.status !== 'open') continue;
      const evidence = { evidence_count: incident.evidence_count + 1 };
      const anchor = { blockchain_records: [...incident.blockchain_records, hash] };
      const changes = [{ status: 'resolved' }, evidence, { ...evidence, ...anchor }] as const;
      incidents.change(incident.id, changes[kind] ?? evidence);
      if (kind !== 0) this.#evidence.collect(incident.id);
      return;
    }
  }

  #alternate(field: IntegrationField, set: (up: boolean, draw: Seeded) => void): () => void {
    const draw = this.#failures[field];
    let up = isUp(this.#integrations.report()[field]);
    return repeat(
      this.#options.clock,
      () => draw.wait(up ? meanUpMs : meanDownMs),
      () => {
        up = !up;
        set(up, draw);
      },
    );
  }
}

function drawSeverity(draw: Seeded): string {
  const chance = draw.next();
  if (chance < 0.55) return 'low';
  if (chance < 0.8) return 'medium';
  return chance < 0.95 ? 'high' : 'critical';
}

const isUp = (state: boolean | string): boolean => state === true || state === 'ok';
const hex32 = (draw: Seeded): string => draw.below(4_294_967_296).toString(16).padStart(8, '0');
const clamp = (value: number, bound: number): number => Math.max(-bound, Math.min(bound, value));
const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/**
 * Incidents without a location, of both kinds the interface allows (null, and absent), spread over
 * the span of the given ones: the real week has none, and operators must meet them.
 */
export function incidentsWithoutLocation(
  near: readonly WireIncident[],
  count: number,
  seed: number,
): WireIncident[] {
  const draw = seeded(seed, 'without location');
  return Array.from({ length: count }, (_, index) => {
    const other = near[draw.below(near.length)];
    const incident: WireIncident = {
      id: `tr-unlocated-${mixedId(draw)}-${index + 1}`,
      incident_type: draw.pick(types),
      severity: drawSeverity(draw),
      status: draw.pick(['open', 'resolved']),
      created_at: other?.created_at ?? new Date(0).toISOString(),
      evidence_count: draw.below(6),
      blockchain_records: [],
    };
    return index % 2 === 0 ? { ...incident, location: null } : incident;
  });
}

const mixedId = (draw: Seeded): string => draw.below(0xffffff).toString(36);

/** Does something again and again, each time after the wait that `wait` draws; what comes back ends it. */
function repeat(clock: Clock, wait: () => number, run: () => void): () => void {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.schedule(wait(), () => {
      run();
      arm();
    });
  };
  arm();
  return () => cancel();
}

/** Automatic events of the fleet: missions are requested, and news arrive. */
export class FleetScript {
  readonly #clock: Clock;
  readonly #pending: Missions;
  readonly #events: EventLog;
  readonly #missions;
  readonly #news;
  #cancel: (() => void)[] = [];

  constructor({ clock, seed }: WorldOptions, missions: Missions, events: EventLog) {
    this.#clock = clock;
    this.#pending = missions;
    this.#events = events;
    this.#missions = seeded(seed, 'mission times');
    this.#news = seeded(seed, 'news');
  }

  set(on: boolean): void {
    for (const cancel of this.#cancel) cancel();
    const clock = this.#clock;
    this.#cancel = on
      ? [
          repeat(
            clock,
            () => this.#missions.wait(meanMissionMs),
            () => this.#pending.arrive(),
          ),
          repeat(
            clock,
            () => this.#news.wait(meanNewsMs),
            () =>
              this.#events.publish(this.#news.pick(news), {
                drone: `drone-${String(1 + this.#news.below(24)).padStart(2, '0')}`,
                percent: this.#news.below(101),
              }),
          ),
        ]
      : [];
  }
}
