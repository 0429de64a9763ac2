import type { IncidentLocation } from '../domain/incident.ts';
import { say, type Said } from '../words/say.ts';

const degrees = (value: number): string => `${value.toFixed(2)}°`;

/** Where an alarm says that an incident is. */
export const placeWords = (location: IncidentLocation | null): string | Said =>
  location === null ? say('alarm.noPlace') : `${degrees(location.latitude)}, ${degrees(location.longitude)}`;
