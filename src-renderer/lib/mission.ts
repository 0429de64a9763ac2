import type { Failure, Mission, MissionDecision, MissionsState } from '../../src-preload/contract/index.ts';
import type { LinkState } from '../bridge/bridge.ts';

/** A decision in the words that a sentence needs. */
export const decisionWords: Readonly<
  Record<
    MissionDecision,
    { readonly verb: string; readonly button: string; readonly done: string; readonly noun: string }
  >
> = {
  approve: { verb: 'approve', button: 'Approve', done: 'Approved', noun: 'approval' },
  reject: { verb: 'reject', button: 'Reject', done: 'Rejected', noun: 'rejection' },
};

export const sourceWords: Readonly<Record<Mission['source'], string>> = {
  list: 'From the list',
  event: 'From an event',
  typed: 'Typed',
};

/** What stands beside a mission in the list: a word or two. */
export function stateWords({ decided, notGranted }: Mission): string {
  if (decided === null) return notGranted === null ? 'Pending' : 'Not granted';
  const { done, noun } = decisionWords[decided.decision];
  switch (decided.outcome) {
    case 'sending':
      return 'Sending';
    case 'done':
      return done;
    case 'refused':
      return notGranted === null ? `${raised(noun)} refused` : 'Not granted';
    case 'conflict':
      return 'Changed meanwhile';
    case 'unknown':
      return 'Outcome unknown';
  }
}

const raised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Missions that wait for a decision of the operator's, for the badge. */
export const undecided = (missions: readonly Mission[]): number =>
  missions.filter(({ decided }) => decided?.outcome !== 'done' && decided?.outcome !== 'conflict').length;

/** A field's value for reading: a text without its quotes, everything else as it came. */
export function valueText(json: string): string {
  if (!json.startsWith('"')) return json;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : json;
  } catch {
    // Cut short on its way here.
    return json;
  }
}

/** Names under which services keep what people call a thing; the shape of a mission is not specified. */
const nameFields: ReadonlySet<string> = new Set(['name', 'title', 'label', 'summary', 'description']);

/** What people call a mission; null when no field says. */
export function missionName({ fields }: Mission): string | null {
  for (const { name, json } of fields) {
    if (!nameFields.has(name.toLowerCase()) || !json.startsWith('"')) continue;
    const text = valueText(json).trim();
    if (text !== '') return text;
  }
  return null;
}

const mostTyped = 24;
const tail = 8;

/** What is typed to confirm: the id, or the end of a long one. */
export interface TypedTarget {
  readonly text: string;
  readonly whole: boolean;
}

export function typedTarget(missionId: string): TypedTarget {
  const id = [...missionId.trim()];
  const whole = id.length <= mostTyped;
  return { text: whole ? id.join('') : id.slice(-tail).join('').trim(), whole };
}

export const isTyped = (target: TypedTarget, typed: string): boolean =>
  target.text !== '' && typed.trim() === target.text;

/** Why a mission can't be decided on now. */
export interface Obstacle {
  readonly sentence: string;
  /** What the service or the console says about it; null when the sentence is all. */
  readonly failure: Failure | null;
}

/**
 * What stands in the way of a decision; null when nothing does. `mission` is null for an id that was
 * typed and not looked up yet. `now` is station time.
 */
export function obstacleTo(
  mission: Mission | null,
  missions: Pick<MissionsState, 'blocked'> | undefined,
  link: LinkState,
  now: number,
): Obstacle | null {
  if (link.state !== 'up') return { sentence: 'This page lost the console.', failure: null };
  const decided = mission?.decided ?? null;
  if (decided !== null) {
    const { done } = decisionWords[decided.decision];
    if (decided.outcome === 'sending') return { sentence: 'A decision is on its way.', failure: null };
    if (decided.outcome === 'done') return { sentence: `${done}. A decision is given once.`, failure: null };
    if (decided.outcome === 'unknown')
      return { sentence: 'What became of the last decision is not known yet.', failure: null };
  }
  if (mission?.notGranted)
    return { sentence: 'Not granted: an administrator must grant the scope.', failure: mission.notGranted };
  const blocked = missions?.blocked ?? null;
  if (blocked !== null) return { sentence: 'Decisions need a live connection.', failure: blocked };
  const retryAt = decided?.outcome === 'refused' ? (decided.failure?.retryAt ?? null) : null;
  if (retryAt !== null && retryAt > now)
    return { sentence: 'The service asks to wait before it is tried again.', failure: null };
  return null;
}
