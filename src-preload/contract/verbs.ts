import type { z } from 'zod';
import { alarmVerbs } from './alarms.ts';
import { changeVerbs } from './changes.ts';
import { contentVerbs } from './contents.ts';
import { deploymentCheckVerbs } from './deploymentCheck.ts';
import { deploymentVerbs } from './deployments.ts';
import { desktopVerbs } from './desktop.ts';
import { diagnosticsVerbs } from './diagnostics.ts';
import { droneVerbs } from './drones.ts';
import { evidenceVerbs } from './evidence.ts';
import { exportVerbs } from './exports.ts';
import { handoverVerbs } from './handovers.ts';
import { healthVerbs } from './health.ts';
import { anchorVerbs, incidentVerbs } from './incidents.ts';
import { lineVerbs } from './line.ts';
import { mapVerbs } from './maps.ts';
import { missionVerbs } from './missions.ts';
import { noteVerbs } from './notes.ts';
import { placeVerbs } from './places.ts';
import { policyVerbs } from './policy.ts';
import { preferenceVerbs } from './preferences.ts';
import { sessionVerbs } from './session.ts';
import { storageVerbs } from './storage.ts';
import { systemVerbs } from './system.ts';
import { trainingVerbs } from './training.ts';
import { updateVerbs } from './updates.ts';
import { uploadVerbs } from './uploads.ts';
import { viewVerbs } from './views.ts';

/**
 * The verbs: everything a page may ask of the console, as the features declare them. A verb answers a Result. The
 * build puts the names alone in place of this file in the preload (build/verbNames.ts).
 */
export const verbs = {
  ...sessionVerbs,
  ...storageVerbs,
  ...deploymentVerbs,
  ...deploymentCheckVerbs,
  ...incidentVerbs,
  ...placeVerbs,
  ...healthVerbs,
  ...lineVerbs,
  ...preferenceVerbs,
  ...mapVerbs,
  ...evidenceVerbs,
  ...contentVerbs,
  ...droneVerbs,
  ...uploadVerbs,
  ...missionVerbs,
  ...alarmVerbs,
  ...policyVerbs,
  ...viewVerbs,
  ...anchorVerbs,
  ...changeVerbs,
  ...noteVerbs,
  ...handoverVerbs,
  ...exportVerbs,
  ...systemVerbs,
  ...desktopVerbs,
  ...updateVerbs,
  ...diagnosticsVerbs,
  ...trainingVerbs,
} as const;

export type VerbName = keyof typeof verbs;
export type VerbRequest<V extends VerbName> = z.input<(typeof verbs)[V]['request']>;
export type VerbReply<V extends VerbName> = z.output<(typeof verbs)[V]['reply']>;

export const verbNames = Object.keys(verbs) as VerbName[];
