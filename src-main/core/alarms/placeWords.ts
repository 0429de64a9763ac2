import type { IncidentLocation } from '../domain/incident.ts';
import { placeSaid } from '../places/placeWords.ts';
import { towns } from '../places/towns.ts';
import { say, type Said } from '../words/say.ts';

/** Where an alarm says that an incident is: as seen from the nearest town. */
export const placeWords = (location: IncidentLocation | null): Said =>
  location === null ? say('alarm.noPlace') : placeSaid(towns.nearest(location));
