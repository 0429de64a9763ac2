import type { AlarmSettings, AlarmsState, SirenState } from '../../../../src-preload/contract/index.ts';

const settingsAtStart: AlarmSettings = {
  least: 'high',
  types: [],
  area: { kind: 'everywhere' },
  integrations: true,
  session: true,
  uploads: true,
  drones: true,
  serviceLostAfterMs: 60_000,
  sound: true,
  quietHours: null,
  escalateAfterMs: null,
  notifications: 'off',
};

export const alarmsAtStart: AlarmsState = { settings: settingsAtStart, active: [], past: [], undo: null };

export const sirenAtStart: SirenState = {
  sequence: 0,
  level: 0,
  kind: null,
  severity: null,
  unacknowledged: 0,
  worstSeverity: null,
  mutedUntil: null,
  sound: true,
  notifications: 'off',
};
