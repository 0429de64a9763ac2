import type { Sheet } from '../../../src-main/core/features/exports/sheet/sheetPress.ts';
import { facts } from '../../core/features/exports/exportFixtures.ts';

export const sheet: Sheet = {
  facts: facts(),
  paper: 'a4',
  wording: null,
  picture: null,
  rows: [
    {
      id: 'i-1',
      severity: 'critical',
      mark: 'critical',
      incidentType: 'حريق',
      status: 'open',
      createdAt: 0,
      place: { latitude: 1, longitude: 2 },
      notReturned: false,
    },
  ],
  leftOut: 0,
};
export const never = (): AbortSignal => new AbortController().signal;
