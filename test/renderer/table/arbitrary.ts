import fc from 'fast-check';
import { codePoint } from '../../support/codePoints.ts';
import type { ModelRow } from './frames.ts';

export const severities = ['critical', 'HIGH', 'medium', 'low', 'catastrophic', '__proto__', ''];
export const statuses = ['open', 'resolved', 'Überprüft'];
export const types = ['fire', 'flood', 'FLOOD', 'a10', 'a9'];

/** A row with a given key; few distinct values, so that ties and repeated values do occur. */
export const rowWith = (key: fc.Arbitrary<number>): fc.Arbitrary<ModelRow> =>
  fc.record({
    key,
    id: fc.string({ unit: codePoint, maxLength: 12 }),
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...statuses),
    type: fc.constantFrom(...types),
    createdAt: fc.oneof(fc.constantFrom(0, 5, 1_700_000_000_000), fc.integer({ min: -4e12, max: 4e12 })),
    latitude: fc.oneof(fc.constant(NaN), fc.double({ min: -90, max: 90, noNaN: true })),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    arrivedAt: fc.constantFrom(0, 1_700_000_000_000),
    evidenceCount: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4_294_967_295 })),
    anchorCount: fc.integer({ min: 0, max: 5 }),
    notReturned: fc.integer({ min: 0, max: 1 }),
  });

export const rows = (maxLength = 60): fc.Arbitrary<ModelRow[]> =>
  fc.uniqueArray(rowWith(fc.integer({ min: 0, max: 4_294_967_295 })), {
    maxLength,
    selector: (row) => row.key,
  });
