import type { WireIncident } from '../../src-main/training/incident.ts';
import { seeded } from '../../src-main/training/seeded.ts';
import { realWeek } from '../../src-main/training/world.ts';

/**
 * `count` made-up incidents, spread in time, place, type, severity and status as the real week is:
 * each is a real one moved by up to half an hour and a third of a degree. The same seed gives the
 * same incidents; all have a location and an id of their own.
 */
export function syntheticIncidents(count: number, seed = 1): WireIncident[] {
  const draw = seeded(seed, 'synthetic incidents');
  const week = realWeek();
  const around = (spread: number): number => (draw.next() - 0.5) * 2 * spread;
  return Array.from({ length: count }, (_, index) => {
    const model = week[draw.below(week.length)];
    if (!model?.location) throw new Error('The real week has a location for every incident');
    return {
      ...model,
      id: `syn-${seed.toString(36)}-${index.toString(36).padStart(5, '0')}`,
      created_at: new Date(Date.parse(model.created_at) + Math.round(around(1_800_000))).toISOString(),
      location: {
        latitude: Math.max(-90, Math.min(90, model.location.latitude + around(0.33))),
        longitude: Math.max(-180, Math.min(180, model.location.longitude + around(0.33))),
        altitude: model.location.altitude ?? null,
      },
    };
  });
}

/** The same, none of them over: a console that begins with what is open draws all of them. */
export const openIncidents = (count: number): WireIncident[] =>
  syntheticIncidents(count).map((incident) => ({ ...incident, status: 'open' }));
