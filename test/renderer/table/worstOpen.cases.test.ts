import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IncidentRecord } from '../../../src-main/core/state/incident.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { worstOpen } from '../../../src-renderer/table/worstOpen.ts';
import { begunWatch, reportOf } from '../../core/features/notes/notesRig.ts';
import { casesOf } from '../../support/campaign.ts';
import { rowWith } from './arbitrary.ts';
import { FrameMaker, type ModelRow } from './frames.ts';

const tableOf = (model: readonly ModelRow[]): IncidentTable => {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(model, true));
  return table;
};
const severities = ['critical', 'CRITICAL', ' high', 'High', 'medium', 'critical!', ''];
const statuses = ['open', 'resolved', 'Resolved', ' resolved', 'unresolved', 'CLOSED', ''];
/** Few distinct severities, statuses and times, so that there are more of one kind than are asked for. */
const models = fc.uniqueArray(
  fc
    .tuple(
      rowWith(fc.integer({ min: 0, max: 1_000 })),
      fc.constantFrom(...severities),
      fc.constantFrom(...statuses),
    )
    .map(([row, severity, status]): ModelRow => ({ ...row, severity, status })),
  { maxLength: 80, selector: ({ key }) => key },
);

describe('the worst that is open', () => {
  it('is of critical, unranked and high the latest so many, in this order, and nothing that is over', () => {
    fc.assert(
      fc.property(models, fc.integer({ min: 0, max: 12 }), (model, most) => {
        const table = tableOf(model);
        const latest = (is: (severity: string) => boolean): number[] =>
          model
            .filter((row) => is(row.severity.trim().toLowerCase()))
            .filter((row) => !['resolved', 'closed'].includes(row.status.trim().toLowerCase()))
            .sort((a, b) => b.createdAt - a.createdAt || a.key - b.key)
            .slice(0, most)
            .map(({ key }) => key);
        const found = worstOpen(table, most).map((row) => table.columns.key[row]);
        const ranked = ['critical', 'high', 'medium', 'low'];
        expect(found).toEqual([
          ...latest((severity) => severity === 'critical'),
          ...latest((severity) => !ranked.includes(severity)),
          ...latest((severity) => severity === 'high'),
        ]);
      }),
      { numRuns: casesOf({ part: 100, whole: 500 }) },
    );
  });

  it('is nothing in a table without incidents', () => {
    expect(worstOpen(new IncidentTable(), 100)).toEqual([]);
  });

  it('holds all that the handover report lists, however severity and status are written', async () => {
    const records = severities.flatMap((severity, of) =>
      statuses.map((status, at): IncidentRecord => {
        const createdAt = Date.UTC(2026, 10, 20, of, at);
        return {
          id: `incident-${of}-${at}`,
          incidentType: 'wildfire',
          severity,
          status,
          createdAtText: new Date(createdAt).toISOString(),
          createdAt,
          evidenceCount: 0,
          blockchainRecords: [],
          location: { latitude: 12.5, longitude: -33.25, altitude: null },
          otherFields: [],
        };
      }),
    );
    const rig = await begunWatch();
    await rig.store.applyRows({
      upserts: records.map((record) => ({ record, sighting: { seenAt: 1, arrivedAt: 0 } })),
      removals: [],
    });
    const listed = new Set((await reportOf(rig)).match(/incident-\d-\d/g));
    await rig.stop();
    const table = tableOf(
      records.map(({ id, severity, status, createdAt }, at) => ({
        key: at + 1,
        id,
        severity,
        status,
        type: 'wildfire',
        createdAt,
        latitude: 12.5,
        longitude: -33.25,
        arrivedAt: 0,
        evidenceCount: 0,
        anchorCount: 0,
        notReturned: 0,
      })),
    );
    expect(listed.size).toBeGreaterThan(10);
    expect(new Set(worstOpen(table, 100).map((row) => table.idAt(row)))).toEqual(listed);
  });
});
