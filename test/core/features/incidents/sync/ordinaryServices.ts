import { failed, ok, type Result } from '../../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../../../src-main/core/base/failure.ts';
import type {
  ListIncidentsParams,
  ServiceAnswer,
} from '../../../../../src-main/core/service/api/infrastructure.ts';
import { statusFailure } from '../../../../../src-main/core/service/transport/statusFailure.ts';
import { seeded } from '../../../../../src-main/training/seeded.ts';
import type { WireIncident } from '../../../../support/training/index.ts';
import { wireIncident } from '../../../state/wireIncident.ts';

/** An incident of a service, with what the service knows beside it. */
export interface Held {
  readonly wire: WireIncident;
  /** Unix seconds of its creation, with their fraction. */
  readonly at: number;
  /** A number between 0 and 1 that is its own. */
  readonly lot: number;
}

/** A request, as a service sees it. */
export interface Seen {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  /** The number of this request. */
  readonly turn: number;
  /** Unix seconds. */
  readonly now: number;
  /** All incidents, the newest first, without those that the request's other filters leave out. */
  readonly all: readonly Held[];
  /** Those between the bounds, in the same order. */
  readonly inside: readonly Held[];
}

export type Said = Result<Omit<ServiceAnswer, 'requestId' | 'responseMs' | 'linkCursor'>>;

export const said = (body: unknown, claims?: ServiceAnswer['claims']): Said => ok({ body, claims });
export const list = (rows: readonly Held[], most = 200): Said =>
  said(rows.slice(0, most).map(({ wire }) => wire));
export const wires = (rows: readonly Held[]): WireIncident[] => rows.map(({ wire }) => wire);
export function status(code: number): Said {
  const answer = {
    status: code,
    headers: {},
    body: null,
    cut: null,
    requestId: null,
    sentElapsed: 0,
    isUnchanged: false,
    bytes: 0,
    headElapsed: 0,
    responseMs: 0,
  };
  return failed(statusFailure(answer, 0) ?? makeFailure({ code: 'internal', at: 0 }));
}

const day = 86_400;

/** `count` incidents over `days` before `now` (Unix ms), of whole seconds. */
export function heldIncidents(now: number, count: number, days: number, seed = 1): Held[] {
  const draw = seeded(seed, 'ordinary services');
  const severities = ['low', 'medium', 'high', 'critical'] as const;
  return Array.from({ length: count }, (_, index) => {
    const at = Math.floor(now / 1000) - 120 - draw.below(days * day);
    const wire = wireIncident(`inc-${String(index).padStart(5, '0')}`, new Date(at * 1000).toISOString());
    const severity = draw.pick(severities);
    const status_ = draw.below(10) === 0 ? 'open' : 'resolved';
    return {
      wire: { ...(wire as WireIncident), severity, status: status_ },
      at,
      lot: draw.below(1_000_000) / 1_000_000,
    };
  }).sort((a, b) => b.at - a.at);
}

/** Answers the console's requests as `answer` does, from `held`. */
export function ordinaryService(options: {
  readonly held: () => readonly Held[];
  readonly now: () => number;
  readonly answer: (seen: Seen) => Said;
}) {
  const asked: ListIncidentsParams[] = [];
  return {
    asked,
    listIncidents(params: ListIncidentsParams): Promise<Result<ServiceAnswer>> {
      asked.push(params);
      const { startTime: start, endTime: end, limit, cursor, severity, status: wanted } = params;
      const all = options
        .held()
        .filter(
          ({ wire }) =>
            (severity ?? wire.severity) === wire.severity && (wanted ?? wire.status) === wire.status,
        );
      const inside = all.filter(({ at }) => at >= (start ?? -Infinity) && at <= (end ?? Infinity));
      const now = options.now() / 1000;
      const result = options.answer({ start, end, limit, cursor, turn: asked.length, now, all, inside });
      if (!result.ok) return Promise.resolve(result);
      return Promise.resolve(ok({ requestId: 'r', responseMs: 1, linkCursor: null, ...result.value }));
    },
  };
}
