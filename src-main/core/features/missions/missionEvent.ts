import type { LiveEvent, MissionDecision, ShownField } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { shownFields } from '../evidence/index.ts';
import { namedState, stateOfKind } from './outcome.ts';

export interface MissionEvent {
  /** What the event says that was decided; null where it names nothing of the kind. */
  readonly decided: MissionDecision | null;
  readonly fields: readonly ShownField[];
}

/** Reads an event that names a mission; its kind and its payload are not specified (interface: Events). */
export function readMissionEvent({ kind, text }: Pick<LiveEvent, 'kind' | 'text'>): MissionEvent {
  const body = parsed(text);
  const members = isObject(body) ? body : null;
  const state =
    stateOfKind(kind) ?? (members === null ? null : namedState((name) => ownValue(members, name)));
  return {
    decided: state === 'pending' ? null : state,
    fields: members
      ? shownFields(members)
      : [{ name: kind === '' ? 'event' : kind, json: JSON.stringify(text) }],
  };
}

/** The text of an event is cut for display, and then is no JSON any more. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
