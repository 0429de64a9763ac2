import { z } from 'zod';
import {
  alarmSchema,
  alarmSettingsSchema,
  isInMemoryOnly,
  levelSchema,
  type Alarm,
  type AlarmSettings,
  type Level,
} from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue, parsedJson } from '../../base/json.ts';
import type { RecordRow } from '../../vault/records.ts';
import type { AlarmListContents, ListedAlarm } from './alarmList.ts';
import { alarmsAtStart } from './alarmsState.ts';
import { nothingKept, type ConditionsKept } from './conditionAlarms.ts';

/** The alarms as they are stored on this computer. */
export interface AlarmDocument extends AlarmListContents, ConditionsKept {
  readonly settings: AlarmSettings;
  /** Server time, Unix milliseconds. */
  readonly mutedUntil: number | null;
}

const nothing: AlarmDocument = {
  settings: alarmsAtStart.settings,
  mutedUntil: null,
  ...nothingKept,
  active: [],
  past: [],
  identities: [],
};

export const writeAlarms = ({ levels, active, past, ...rest }: AlarmDocument): string =>
  JSON.stringify({ version: 1, ...rest, active: stored(active), past: stored(past), levels: [...levels] });

const stored = (alarms: readonly ListedAlarm[]): readonly object[] =>
  alarms
    .filter(({ alarm }) => !isInMemoryOnly(alarm))
    .map(({ beforeRecovery: told, ...listed }) => ({ ...listed, told }));

/** Reads each part separately: a damaged part must not lose the acknowledgements. */
export function readAlarms(text: string | null): AlarmDocument {
  const value = parsedJson(text);
  if (!isObject(value) || ownValue(value, 'version') !== 1) return nothing;
  const mutedUntil = ownValue(value, 'mutedUntil');
  const [decisions, unread] = [ownValue(value, 'decisions'), ownValue(value, 'unread')];
  return {
    settings: readSettings(ownValue(value, 'settings')),
    mutedUntil: typeof mutedUntil === 'number' ? mutedUntil : null,
    decisions: typeof decisions === 'number' ? decisions : 0,
    unread: typeof unread === 'number' ? unread : 0,
    levels: new Map(listOf(value, 'levels').flatMap(readLevel)),
    active: listOf(value, 'active').flatMap(readListed),
    past: listOf(value, 'past').flatMap(readListed),
    identities: listOf(value, 'identities').filter((identity) => typeof identity === 'string'),
  };
}

function readSettings(value: unknown): AlarmSettings {
  const usual = alarmsAtStart.settings;
  if (!isObject(value)) return usual;
  const kept = Object.keys(usual).flatMap((name) => {
    const reading = alarmSettingsSchema.partial().safeParse({ [name]: ownValue(value, name) });
    return reading.success && ownValue(value, name) !== undefined ? [reading.data] : [];
  });
  return Object.assign({}, usual, ...kept) as AlarmSettings;
}

const listOf = (value: object, name: string): readonly unknown[] => {
  const list = isObject(value) ? ownValue(value, name) : null;
  return Array.isArray(list) ? (list as unknown[]) : [];
};

function readListed(value: unknown): ListedAlarm[] {
  if (!isObject(value)) return [];
  const reading = alarmSchema.safeParse(ownValue(value, 'alarm'));
  if (!reading.success) return [];
  const subject = ownValue(value, 'subject');
  const members = listOf(value, 'members').filter((id) => typeof id === 'string');
  const before = beforeRecoverySchema.safeParse(ownValue(value, 'told'));
  return [
    {
      alarm: reading.data,
      subject: typeof subject === 'string' ? subject : null,
      members,
      beforeRecovery: before.success ? before.data : null,
    },
  ];
}

const beforeRecoverySchema = alarmSchema.pick({ level: true, sentence: true });

function readLevel(value: unknown): [string, Level][] {
  if (!Array.isArray(value)) return [];
  const [field, level] = value as unknown[];
  const reading = levelSchema.safeParse(level);
  return typeof field === 'string' && reading.success ? [[field, reading.data]] : [];
}

/** `at`: when the alarm was acknowledged, server time; null where that was undone. */
const acknowledgementSchema = z.object({
  version: z.literal(1),
  at: z.number().nullable(),
  note: z.string().nullable(),
});

/** A row for each of these alarms. It says whether the alarm is acknowledged. */
export const rowsOf = (alarms: readonly Alarm[]): readonly RecordRow[] =>
  alarms
    .filter((alarm) => !isInMemoryOnly(alarm))
    .map(({ id, acknowledgedAt: at, note }) => ({
      table: 'alarms',
      id,
      text: JSON.stringify({ version: 1, at, note }),
    }));

/** What these rows say, the earliest first. */
export const readAcknowledgements = (
  rows: readonly RecordRow[],
): readonly { readonly id: string; readonly at: number | null; readonly note: string | null }[] =>
  rows
    .flatMap(({ id, text }) => {
      const { data } = acknowledgementSchema.safeParse(parsedJson(text));
      return data ? [{ ...data, id }] : [];
    })
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
