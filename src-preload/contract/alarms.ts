import { z } from 'zod';
import { messageSchema } from './message.ts';
import { callers, done, nothing, type VerbDeclarations } from './verb.ts';

const instant = z.number();
const longitude = z.number().min(-540).max(540);
const latitude = z.number().min(-90).max(90);
const point = z.tuple([longitude, latitude]);

/** Where incidents alarm. A ring is [longitude, latitude] in degrees, not closed; it may cross 180 degrees. */
export const alarmAreaSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('everywhere') }),
  /** West may be greater than east: then it crosses 180 degrees. */
  z.strictObject({
    kind: z.literal('view'),
    west: longitude,
    south: latitude,
    east: longitude,
    north: latitude,
  }),
  z.strictObject({ kind: z.literal('polygon'), ring: z.array(point).min(3).max(100) }),
]);
export type AlarmArea = z.infer<typeof alarmAreaSchema>;

const least = z.enum(['none', 'critical', 'high', 'medium', 'low']);
const minuteOfDay = z.int().min(0).max(1439);
export const mostTypeRules = 50;

/** The least severity that alarms of one type of incident, in place of that of all. */
const typeRuleSchema = z.strictObject({ type: z.string().min(1).max(64), least });

/** Minutes since midnight in this computer's time; `to` may lie before `from`: then it is over midnight. */
const quietHoursSchema = z.strictObject({ from: minuteOfDay, to: minuteOfDay });
export type QuietHours = z.infer<typeof quietHoursSchema>;

export const alarmSettingsSchema = z.strictObject({
  /** The least severity that alarms; a severity that is not in this order alarms whatever is chosen but `none`. */
  least,
  types: z.array(typeRuleSchema).max(mostTypeRules),
  area: alarmAreaSchema,
  integrations: z.boolean(),
  session: z.boolean(),
  uploads: z.boolean(),
  /** Whether a drone that falls silent alarms. */
  drones: z.boolean(),
  /** How long an API of a running session is unreachable before it alarms, milliseconds; null for never. */
  serviceLostAfterMs: z.int().min(10_000).max(3_600_000).nullable(),
  sound: z.boolean(),
  /** When only the most urgent alarms sound; null for never. */
  quietHours: quietHoursSchema.nullable(),
  /** After how long without an acknowledgement an alarm becomes one of the most urgent, milliseconds; null for never. */
  escalateAfterMs: z.int().min(60_000).max(3_600_000).nullable(),
  /** Desktop notifications: none, kind and severity only, or with details. */
  notifications: z.enum(['off', 'brief', 'details']),
});
export type AlarmSettings = z.infer<typeof alarmSettingsSchema>;

export const alarmKindSchema = z.enum([
  'incident',
  'escalation',
  'summary',
  'integration',
  'session',
  'upload',
  'record',
  'connection',
  'drone',
]);
export type AlarmKind = z.infer<typeof alarmKindSchema>;

/** How urgent it sounds: 3 for the most. */
const level = z.int().min(1).max(3);

export const mostNoteLength = 500;
export const snoozeMinutes = [15, 60] as const;

export const alarmSchema = z.strictObject({
  id: z.string().max(32),
  kind: alarmKindSchema,
  level,
  /** Of the incident, or the worst of a summary. */
  severity: z.string().max(256).nullable(),
  at: instant,
  /** What happened, as a sentence. */
  sentence: messageSchema,
  /** The incidents it is about, at most 20 of `count`. */
  incidentIds: z.array(z.string()).max(20),
  count: z.int().min(1),
  /** How many of `count` are known by their ids, which `readAlarmIncidents` tells; at most 10,000. */
  listed: z.int().min(0).max(10_000),
  acknowledgedAt: instant.nullable(),
  /** What was written with the acknowledgement. */
  note: z.string().max(mostNoteLength).nullable(),
  /** Until when it is silent without an acknowledgement (snoozed); null while it is not. */
  snoozedUntil: instant.nullable(),
  /** When it was escalated for want of an acknowledgement; null while it is not. */
  escalatedAt: instant.nullable(),
  /** Since when what it tells of has passed; null while it has not. */
  recoveredAt: instant.nullable(),
});
export type Alarm = z.infer<typeof alarmSchema>;

/** What tells of positions is neither stored nor logged nor handed over. */
export const isInMemoryOnly = ({ kind }: Pick<Alarm, 'kind'>): boolean => kind === 'drone';

export const alarmsSchema = z.strictObject({
  settings: alarmSettingsSchema,
  /** Not acknowledged, the most urgent first; at most 100. */
  active: z.array(alarmSchema).max(100),
  /** Acknowledged, or cleared because what they told of has passed, the latest first; at most 200. */
  past: z.array(alarmSchema).max(200),
  /** What an undo would take back: how many acknowledgements, and until when; null for none. */
  undo: z
    .strictObject({ count: z.int().min(1), until: instant })
    .nullable()
    .default(null),
});
export type AlarmsState = z.infer<typeof alarmsSchema>;

/** What of the alarms is there while the console is locked too: no incident, no name, no place. */
export const sirenSchema = z.strictObject({
  /** Counts up with every alarm that is to sound; the page sounds once for each. */
  sequence: z.int().min(0),
  /** The level and kind of the alarm that counted last, for sound and notification. */
  level: z.int().min(0).max(3),
  kind: alarmKindSchema.nullable(),
  severity: z.string().max(256).nullable(),
  /** Without those whose cause has passed and those that are snoozed. */
  unacknowledged: z.int().min(0),
  worstSeverity: z.string().max(256).nullable(),
  mutedUntil: instant.nullable(),
  sound: z.boolean(),
  notifications: z.enum(['off', 'brief', 'details']),
});
export type SirenState = z.infer<typeof sirenSchema>;

export const alarmVerbs = {
  acknowledgeAlarm: {
    access: callers.handsOn,
    request: z.strictObject({ id: z.string().max(32), note: z.string().max(mostNoteLength).optional() }),
    reply: done,
  },
  /** Takes back what was acknowledged last, for 8 s. */
  undoAcknowledgement: { access: callers.handsOn, request: nothing, reply: done },
  /** Lets an alarm not call for so many minutes; null ends that. */
  snoozeAlarm: {
    access: callers.handsOn,
    request: z.strictObject({ id: z.string().max(32), minutes: z.literal(snoozeMinutes).nullable() }),
    reply: done,
  },
  /** Those that are named, or all that wait; one undo takes all of them back. */
  acknowledgeAlarms: {
    access: callers.handsOn,
    request: z.strictObject({ ids: z.array(z.string().max(32)).min(1).max(200).optional() }),
    reply: done,
  },
  /** The incidents of an alarm that waits or is past: as many as its `listed` says. */
  readAlarmIncidents: {
    access: callers.operators,
    request: z.strictObject({ id: z.string().max(32) }),
    reply: z.strictObject({ ids: z.array(z.string()).max(10_000) }),
  },
  /** Silences sound for so many minutes; null ends the silence. */
  muteAlarms: {
    access: callers.handsOn,
    request: z.strictObject({ minutes: z.union([z.literal(5), z.literal(30), z.literal(60)]).nullable() }),
    reply: done,
  },
  setAlarms: { access: callers.handsOn, request: alarmSettingsSchema.partial(), reply: done },
} as const satisfies VerbDeclarations;
