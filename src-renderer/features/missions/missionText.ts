import {
  isOutcomeOpen,
  type Decided,
  type Failure,
  type Mission,
  type MissionDecision,
  type MissionsState,
} from '../../../src-preload/contract/index.ts';
import type { LinkState } from '../../base/bridge/bridge.ts';
import { sentenceOf } from '../../base/failure.ts';
import { t, type MessageKey } from '../../i18n/index.ts';
import { clockTime, shortSpan, type Zone } from '../../base/format.ts';
import { skeleton } from '../../i18n/skeleton.ts';
import { visible } from '../../i18n/visible.ts';

/** What is said about a decision, each a whole sentence or a single word. */
type DecisionWord =
  | 'button'
  | 'question'
  | 'hold'
  | 'done'
  | 'doneAt'
  | 'doneByEvent'
  | 'doneByList'
  | 'sending'
  | 'refused'
  | 'changed'
  | 'unknown'
  | 'wasRefused'
  | 'notSent'
  | 'wasNotSent'
  | 'givenOnce';
export const decisionWords: Readonly<Record<MissionDecision, Readonly<Record<DecisionWord, MessageKey>>>> = {
  approve: {
    button: 'missions.decisions.approve.button',
    question: 'missions.decisions.approve.question',
    hold: 'missions.decisions.approve.hold',
    done: 'missions.decisions.approve.done',
    doneAt: 'missions.decisions.approve.doneAt',
    doneByEvent: 'missions.decisions.approve.doneByEvent',
    doneByList: 'missions.decisions.approve.doneByList',
    sending: 'missions.decisions.approve.sending',
    refused: 'missions.decisions.approve.refused',
    changed: 'missions.decisions.approve.changed',
    unknown: 'missions.decisions.approve.unknown',
    wasRefused: 'missions.decisions.approve.wasRefused',
    notSent: 'missions.decisions.approve.notSent',
    wasNotSent: 'missions.decisions.approve.wasNotSent',
    givenOnce: 'missions.decisions.approve.givenOnce',
  },
  reject: {
    button: 'missions.decisions.reject.button',
    question: 'missions.decisions.reject.question',
    hold: 'missions.decisions.reject.hold',
    done: 'missions.decisions.reject.done',
    doneAt: 'missions.decisions.reject.doneAt',
    doneByEvent: 'missions.decisions.reject.doneByEvent',
    doneByList: 'missions.decisions.reject.doneByList',
    sending: 'missions.decisions.reject.sending',
    refused: 'missions.decisions.reject.refused',
    changed: 'missions.decisions.reject.changed',
    unknown: 'missions.decisions.reject.unknown',
    wasRefused: 'missions.decisions.reject.wasRefused',
    notSent: 'missions.decisions.reject.notSent',
    wasNotSent: 'missions.decisions.reject.wasNotSent',
    givenOnce: 'missions.decisions.reject.givenOnce',
  },
};

export const sourceWords: Readonly<Record<Mission['source'], MessageKey>> = {
  list: 'missions.sources.list',
  event: 'missions.sources.event',
  typed: 'missions.sources.typed',
};

/** What stands beside a mission in the list: a word or two. */
export function stateWords({ decided, notGranted }: Mission): string {
  if (decided === null)
    return t(notGranted === null ? 'missions.states.pending' : 'missions.states.notGranted');
  const { done, wasRefused, wasNotSent } = decisionWords[decided.decision];
  switch (decided.outcome) {
    case 'sending':
      return t('missions.states.sending');
    case 'done':
      return t(done);
    case 'refused':
      return t(notGranted === null ? wasRefused : 'missions.states.notGranted');
    case 'not-sent':
      return t(wasNotSent);
    case 'conflict':
      return t('missions.states.conflict');
    case 'unknown':
      return t('missions.states.unknown');
    case 'no-longer-listed':
      return t('missions.states.noLongerListed');
  }
}

/** What the latest reading of the list showed of a decision with an open outcome; null before there was one. */
export function listCheckWords({ outcome, listCheck }: Decided, zone: Zone): string | null {
  if (listCheck === null || !isOutcomeOpen(outcome)) return null;
  const time = clockTime(listCheck.at, zone);
  if (listCheck.listed) return t('missions.state.stillListed', { time });
  return outcome === 'unknown'
    ? t('missions.state.notListed', { time })
    : t('missions.state.noLongerListed', { time });
}

/** Whether the service said that the mission is no longer pending: nothing is left to decide. */
export const isSettled = (mission: Pick<Mission, 'state'> | null): boolean =>
  mission !== null && mission.state !== 'pending';

/** A mission's age in the service's own time, else for how long this console has known of it. */
export function missionAge({ requestedAt, seenAt }: Mission, now: number): string {
  return requestedAt === null
    ? t('missions.knownFor', { span: shortSpan(now - seenAt) })
    : shortSpan(now - requestedAt);
}

/** After these nothing waits for the operator. */
const settled: ReadonlySet<Decided['outcome']> = new Set(['done', 'conflict', 'no-longer-listed']);

/** Missions that wait for a decision of the operator's, for the badge. */
export const undecided = (missions: readonly Mission[]): number =>
  missions.filter(({ decided }) => decided === null || !settled.has(decided.outcome)).length;

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

/** Under these services keep what a mission is for, from the name that says most. */
const taskFields = ['purpose', 'objective', 'task', 'mission_type', 'type', 'kind', 'category'];

/** The text of the first of these fields whose JSON begins as `kind` does; null where none does. */
function textOf({ fields }: Mission, names: readonly string[], kind: RegExp): string | null {
  for (const wanted of names) {
    const field = fields.find(({ name, json }) => name.toLowerCase() === wanted && kind.test(json));
    const text = field === undefined ? '' : valueText(field.json).trim();
    if (text !== '') return text;
  }
  return null;
}

/** What a mission is for; null when no field says it in words. */
const missionTask = (mission: Mission): string | null => textOf(mission, taskFields, /^"/);

/** What a mission is called wherever it stands: what it is for, else its name; null when no field says. */
export const missionTitle = (mission: Mission): string | null => missionTask(mission) ?? missionName(mission);

/** What an operator decides by, in the order of the page, each under the names that services have for it. */
const factFields = {
  risk: ['risk', 'risk_level', 'risk_score'],
  priority: ['priority', 'urgency'],
  place: ['area', 'place', 'location', 'site', 'region', 'zone', 'sector', 'target', 'destination'],
  drone: ['drone_id', 'drone', 'uav_id', 'uav', 'vehicle_id', 'aircraft_id'],
  incident: ['incident_id', 'incident'],
  by: ['requested_by', 'requester', 'created_by', 'planner'],
  start: ['scheduled_at', 'start_time', 'starts_at', 'planned_at'],
} as const;
type FactName = keyof typeof factFields;
export interface MissionFact {
  readonly name: FactName;
  readonly text: string;
}

/** One of them; null when no field says. */
export const missionFact = (mission: Mission, name: FactName): string | null =>
  textOf(mission, factFields[name], /^["\d-]/);

/** All of them that the service gives, in the order of the page. */
export const missionFacts = (mission: Mission): readonly MissionFact[] =>
  (Object.keys(factFields) as FactName[]).flatMap((name) => {
    const text = missionFact(mission, name);
    return text === null ? [] : [{ name, text }];
  });

/** The time that a text with a zone says, Unix ms; null where it says none. */
export function momentOf(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

/**
 * For each pending mission the ids of the others that an operator could take for it: their id reads like its id, or
 * their name is another text that reads like its name. Missions without such others are left out.
 */
export function missionsAlike(missions: readonly Mission[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Mission[]>();
  const add = (key: string, mission: Mission): void => {
    groups.set(key, [...(groups.get(key) ?? []), mission]);
  };
  for (const mission of missions) {
    if (mission.state !== 'pending') continue;
    add(`id ${skeleton(mission.id)}`, mission);
    const name = missionTitle(mission);
    if (name !== null) add(`name ${skeleton(name)}`, mission);
  }
  const alike = new Map<string, Set<string>>();
  for (const [key, group] of groups) {
    // Equal names are followed by their ids.
    const isApart = key.startsWith('name ') && new Set(group.map(missionTitle)).size === 1;
    if (group.length < 2 || isApart) continue;
    for (const { id } of group) {
      const others = alike.get(id) ?? new Set();
      for (const other of group) if (other.id !== id) others.add(other.id);
      alike.set(id, others);
    }
  }
  return new Map([...alike].map(([id, others]) => [id, [...others]]));
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
  // What is hidden in an id is typed as the mark that stands for it: it is confirmed with what is shown.
  return { text: visible(whole ? id.join('') : id.slice(-tail).join('').trim()), whole };
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
 * typed and not looked up yet. `now` is server time.
 */
export function obstacleTo(
  mission: Mission | null,
  missions: Pick<MissionsState, 'blocked'> | undefined,
  link: LinkState,
  now: number,
): Obstacle | null {
  if (link.state !== 'up') return { sentence: t('missions.obstacles.lost'), failure: null };
  const decided = mission?.decided ?? null;
  if (decided !== null) {
    const { givenOnce } = decisionWords[decided.decision];
    if (decided.outcome === 'sending') return { sentence: t('missions.obstacles.underWay'), failure: null };
    if (decided.outcome === 'done') return { sentence: t(givenOnce), failure: null };
    if (decided.outcome === 'unknown') return { sentence: t('missions.obstacles.unknown'), failure: null };
    if (decided.outcome === 'no-longer-listed')
      return { sentence: t('missions.obstacles.leftTheList'), failure: null };
    if (isSettled(mission)) return { sentence: t('missions.obstacles.settled'), failure: null };
  }
  if (mission?.notGranted)
    return { sentence: t('missions.obstacles.notGranted'), failure: mission.notGranted };
  const blocked = missions?.blocked ?? null;
  if (blocked !== null) return { sentence: sentenceOf(blocked), failure: blocked };
  const retryAt = decided?.outcome === 'refused' ? (decided.failure?.retryAt ?? null) : null;
  if (retryAt !== null && retryAt > now) return { sentence: t('missions.obstacles.wait'), failure: null };
  return null;
}
