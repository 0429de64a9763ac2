import { message, type Message } from '../../base/messages/message.ts';
import { messageOfPlace } from '../../base/places/placeMessages.ts';
import { towns } from '../../base/places/towns.ts';
import type { IncidentLocation } from '../../state/incident.ts';

/** Where an alarm says that an incident is: as seen from the nearest town. */
export const placeMessage = (location: IncidentLocation | null): Message =>
  location === null ? message('alarm.noPlace') : messageOfPlace(towns.nearest(location));
