import type { ShownField } from '../../../../src-preload/contract/index.ts';
import { cappedText, isObject, ownValue, parsedJson } from '../../base/json.ts';
import { shownFields } from '../../base/shownFields.ts';
import { parseTimestamp } from '../../base/timestamp.ts';

/** An event of the stream after its reader. */
export interface DroneEventRead {
  readonly kind: string;
  readonly data: string;
  /** The JSON value of `data`; undefined when it is not JSON. */
  readonly payload: unknown;
  readonly missionId: string | null;
  readonly incidentId: string | null;
}

/** What is stored of a drone's last event beside the position. */
export interface DroneEvent {
  readonly kind: string;
  readonly text: string;
  readonly missionId: string | null;
  readonly incidentId: string | null;
  /** Its texts without numbers and times; null where they are too long to compare. */
  readonly words: string | null;
}

const longestKind = 127;
const longestText = 2_048;
const mostMembers = 64;
const longestWords = 1_024;

export const droneEventOf = ({ kind, data, payload, missionId, incidentId }: DroneEventRead): DroneEvent => ({
  kind: ownText(kind, longestKind),
  text: ownText(data, longestText),
  missionId,
  incidentId,
  words: wordsOf(kind, payload),
});

/** Whether an event has other texts than the drone's event before it. */
export const isNews = (event: DroneEvent, before: DroneEvent | undefined): boolean =>
  event.words === null || event.words !== before?.words;

/** The members of an event for display. */
export function fieldsOf({ kind, text }: DroneEvent): ShownField[] {
  const value = parsedJson(text);
  // A text that was cut for its length is shown as it is.
  return isObject(value) ? shownFields(value) : [{ name: kind, json: JSON.stringify(text) }];
}

/** The texts in the first two levels of an event, without times. */
function wordsOf(kind: string, payload: unknown): string | null {
  const words = [kind];
  const add = (object: unknown, depth: number): boolean => {
    if (!isObject(object)) return true;
    const names = Object.keys(object);
    if (names.length > mostMembers) return false;
    return names.every((name) => {
      const value = ownValue(object, name);
      if (typeof value === 'boolean') words.push(name, String(value));
      if (typeof value === 'string' && parseTimestamp(value) === null) words.push(name, value);
      return depth > 1 || add(value, depth + 1);
    });
  };
  if (!add(payload, 1)) return null;
  const joined = JSON.stringify(words);
  return joined.length > longestWords ? null : joined;
}

/** Shortens and copies a text: a slice of a text holds the whole text in memory. */
const ownText = (text: string, limit: number): string =>
  Buffer.from(cappedText(text, limit), 'utf8').toString('utf8');
