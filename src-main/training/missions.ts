import { json, refusal, type RequestHead, type TrainingAnswer, type WholeRoute } from './answer.ts';
import type { EventLog } from './eventLog.ts';
import { pageOf } from './paging.ts';
import { paths } from './paths.ts';
import { seeded, type Seeded } from './seeded.ts';
import type { WorldOptions } from './worldOptions.ts';

type MissionState = 'pending' | 'approved' | 'rejected';
type Decision = 'approve' | 'reject';
export type Mission = { readonly state: MissionState } & Readonly<Record<string, unknown>>;

/** One side effect of a decision that was sent. */
export interface DecisionEffect {
  readonly missionId: string;
  readonly decision: Decision;
  readonly account: string;
  readonly key: string | null;
}

/** No more are requested while so many wait. */
const mostPending = 8;
const somebodyElse = 'another operator';

const purposes = [
  'Search for missing people',
  'Map the extent of the damage',
  'Deliver medical supplies',
  'Relay communications',
  'Inspect a bridge',
] as const;
const sectors = ['North shore', 'Harbour', 'Old town', 'River valley', 'East ridge', 'Airfield'] as const;
const planners = ['planner-1', 'planner-2', 'watch-desk'] as const;
const risks = ['low', 'medium', 'high'] as const;

interface Held {
  readonly number: number;
  /** Without the clock offset. */
  readonly requestedAt: number;
  mission: Mission;
  /** What it was before it was decided, and when that was: a list that lags still serves it. */
  before: { readonly mission: Mission; readonly until: number } | null;
}

/** The missions that wait for a human, and what was decided on them. */
export class Missions {
  readonly #now: () => number;
  readonly #events: EventLog;
  readonly #byId = new Map<string, Held>();
  /** Those that were sent, oldest first. */
  readonly decisions: DecisionEffect[] = [];
  readonly #byScript: Seeded;
  readonly #byHand: Seeded;

  constructor({ seed, now }: WorldOptions, events: EventLog) {
    this.#now = now;
    this.#events = events;
    this.#byScript = seeded(seed, 'missions');
    this.#byHand = seeded(seed, 'missions by hand');
    const draw = seeded(seed, 'first missions');
    for (let left = 3 + draw.below(3); left > 0; left -= 1) {
      this.#request(draw, {}, now() - Math.round(draw.next() * 1_800_000));
    }
  }

  all(): ReadonlyMap<string, Mission> {
    return new Map([...this.#byId].map(([id, held]) => [id, served(held, 0)]));
  }

  /** Requests another one, unless enough are waiting. */
  arrive(): void {
    const waiting = this.#pending().length;
    if (waiting < mostPending) this.#announce(this.#request(this.#byScript, {}, this.#now()));
  }

  /** @returns the id. */
  add(partial: Readonly<Record<string, unknown>> = {}): string {
    const id = this.#request(this.#byHand, partial, this.#now());
    this.#announce(id);
    return id;
  }

  /** Where the interface names approval, and the two that a deployment may have beside it. */
  routes(): WholeRoute[] {
    return [
      {
        method: 'GET',
        path: paths.pending,
        access: 'bearer',
        idempotent: false,
        handle: (request) => this.#list(request),
      },
      this.#decisionRoute('approve'),
      this.#decisionRoute('reject'),
    ];
  }

  #decisionRoute(decision: Decision): WholeRoute {
    return {
      method: 'POST',
      path: paths[decision],
      access: 'bearer',
      idempotent: true,
      meetsConflict: true,
      refuse: ({ switches }) =>
        switches.missionScope ? null : refusal(403, `Scope missions:${decision} has not been granted`),
      handle: (request) => {
        const missionId = missionIdOf(request.body);
        return missionId === null
          ? refusal(400, 'The body must be a JSON object with the string mission_id')
          : this.#decide(missionId, decision, request);
      },
    };
  }

  #list({ query, switches }: RequestHead): TrainingAnswer {
    const page = pageOf('missions', this.#listed(switches.missionListLagMs), query);
    if (typeof page === 'string') return refusal(400, page);
    const { rows, nextCursor } = page;
    return json(200, {
      missions: rows.map((held) => served(held, switches.clockOffsetMs)),
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
    });
  }

  #decide(
    missionId: string,
    decision: Decision,
    { account, key, fault, switches }: RequestHead,
  ): TrainingAnswer {
    const held = this.#byId.get(missionId);
    if (!held) return refusal(404, 'There is no mission with this id');
    if (fault === 'conflict' && held.mission.state === 'pending') {
      this.#settle(held, decision === 'approve' ? 'reject' : 'approve', somebodyElse);
    }
    const now = served(held, switches.clockOffsetMs);
    if (held.mission.state !== 'pending') {
      return json(409, { error: `This mission is ${held.mission.state} already`, ...now });
    }
    this.decisions.push({ missionId, decision, account: account ?? '', key });
    this.#settle(held, decision, account ?? '');
    return json(200, served(held, switches.clockOffsetMs));
  }

  #settle(held: Held, decision: Decision, by: string): void {
    const state = decision === 'approve' ? 'approved' : 'rejected';
    held.before = { mission: held.mission, until: this.#now() };
    held.mission = { ...held.mission, state, decided_by: by };
    this.#events.publish('mission.decided', {
      mission_id: held.mission['mission_id'],
      state,
      decided_by: by,
    });
  }

  #request(draw: Seeded, partial: Readonly<Record<string, unknown>>, requestedAt: number): string {
    const number = this.#byId.size + 1;
    const mission: Mission = {
      mission_id: `ms-${draw.below(2 ** 32).toString(36)}-${String(number)}`,
      name: `Mission ${String(100 + draw.below(900))}`,
      purpose: draw.pick(purposes),
      area: draw.pick(sectors),
      drone: `drone-${String(1 + draw.below(24)).padStart(2, '0')}`,
      requested_by: draw.pick(planners),
      risk: draw.pick(risks),
      ...partial,
      state: 'pending',
    };
    const id = String(mission['mission_id']);
    if (this.#byId.has(id)) throw new RangeError(`The mission ${id} is there already`);
    const given = Date.parse(String(partial['requested_at']));
    this.#byId.set(id, {
      number,
      requestedAt: Number.isNaN(given) ? requestedAt : given,
      mission,
      before: null,
    });
    return id;
  }

  #announce(id: string): void {
    const mission = this.#byId.get(id)?.mission;
    this.#events.publish('mission.pending', { mission_id: id, name: mission?.['name'] });
  }

  /** What was decided on within the last `lagMs` is listed as it was before: the list lags by that. */
  #listed(lagMs: number): Held[] {
    const since = this.#now() - lagMs;
    return [...this.#byId.values()].flatMap((held) => {
      const { mission, before } = held;
      if (mission.state === 'pending') return [held];
      return before !== null && before.until > since ? [{ ...held, mission: before.mission }] : [];
    });
  }

  #pending(): Held[] {
    return [...this.#byId.values()].filter(({ mission }) => mission.state === 'pending');
  }
}

const served = ({ mission, requestedAt }: Held, clockOffsetMs: number): Mission => ({
  ...mission,
  requested_at: new Date(requestedAt + clockOffsetMs).toISOString(),
});

function missionIdOf(body: Uint8Array): string | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const id = (value as Record<string, unknown>)['mission_id'];
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}
