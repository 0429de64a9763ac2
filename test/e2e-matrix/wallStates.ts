import { dialog, escape, press, see, type State } from './state.ts';

/** A wallboard, in the order in which it gets worse: an alarm and a service that is away stay. */
export const wallStates: readonly State[] = [
  { name: 'wallboard', enter: (page) => see(page, '.counts__grid') },
  {
    name: 'leaving a kiosk',
    enter: async (page) => {
      await press(page, '.leave__button');
      await see(page, dialog);
    },
    leave: escape,
  },
  {
    name: 'wallboard with an alarm',
    enter: async (page, service) => {
      const location = { latitude: 3, longitude: 4, altitude: null };
      service.addIncident({ severity: 'critical', incident_type: 'flood', location });
      await see(page, '.band--critical');
    },
  },
  {
    name: 'wallboard, offline',
    enter: async (page, service) => {
      await service.set({ fault: 'refuse' });
      await see(page, '.band--trouble');
    },
  },
];
