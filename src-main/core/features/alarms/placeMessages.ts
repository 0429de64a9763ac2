import type { IncidentLocation } from '../../state/incident.ts';
import { messageOfPlace } from '../../base/places/placeMessages.ts';
import { towns } from '../../base/places/towns.ts';
import { say, type Said } from '../../base/messages/message.ts';

/** Where an alarm says that an incident is: as seen from the nearest town. */
export const placeMessage = (location: IncidentLocation | null): Said =>
  location === null ? say('alarm.noPlace') : messageOfPlace(towns.nearest(location));
