import type { GeoJSONSource } from 'maplibre-gl';
import { describe, expect, it } from 'vitest';
import { SelectionMark } from '../../../src-renderer/map/selectionMark.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { FrameMaker, type ModelRow } from '../table/frames.ts';

const bridge: ModelRow = {
  key: 1,
  id: 'incident-1',
  severity: 'high',
  status: 'open',
  type: 'flood',
  createdAt: 0,
  latitude: 20,
  longitude: 10,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
};

function tableOf(...rows: readonly ModelRow[]): IncidentTable {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(rows, true));
  return table;
}

/** A map that keeps what is written into its source: where, and which picture. */
function drawn() {
  const written: (readonly [unknown, unknown] | null)[] = [];
  const setData = ({ features: [feature] }: GeoJSON.FeatureCollection<GeoJSON.Point>): void => {
    written.push(feature ? [feature.geometry.coordinates, feature.properties?.['icon']] : null);
  };
  const events = new Map<string, () => void>();
  const marks: unknown[] = [];
  const map = {
    getSource: () => ({ setData }) as unknown as GeoJSONSource,
    on: (event: string, listener: () => void) => events.set(event, listener),
    project: () => ({ x: 100, y: 100 }),
    queryRenderedFeatures: () => marks,
  };
  return {
    mark: new SelectionMark({ map: map as never, isDrawable: () => true }),
    written,
    /** What the map draws around the place of the incident. */
    show: (...shown: readonly { readonly count: number; readonly key: number }[]) => {
      marks.splice(
        0,
        marks.length,
        ...shown.map((properties) => ({
          geometry: { type: 'Point', coordinates: [10.1, 20.1] },
          properties,
        })),
      );
    },
    fire: (event: 'zoomstart' | 'idle') => events.get(event)?.(),
  };
}

describe('the selected incident on the map', () => {
  it('is written where it changed, and where the map lost what it had, and not with every row that came', () => {
    const { mark, written } = drawn();
    mark.setTable(tableOf(bridge));
    mark.setTable(tableOf(bridge, { ...bridge, key: 2, id: 'incident-2' }));
    expect(written).toEqual([null]);
    mark.setKey(1);
    mark.setTable(tableOf(bridge));
    expect(written.slice(1)).toEqual([[[10, 20], expect.any(String)]]);
    mark.apply();
    expect(written.slice(2)).toEqual([[[10, 20], expect.any(String)]]);
  });

  it('is a ring around the mark of several that lies there, which keeps its number, until the zoom changes', () => {
    const { mark, written, show, fire } = drawn();
    mark.setTable(tableOf(bridge));
    mark.setKey(1);
    show({ count: 60, key: 0 });
    fire('idle');
    fire('idle');
    expect(written.at(-1)).toEqual([[10.1, 20.1], undefined]);
    fire('zoomstart');
    expect(written.at(-1)).toEqual([[10, 20], expect.any(String)]);
    // Its own mark is there, beside that of others.
    show({ count: 60, key: 0 }, { count: 1, key: 1 });
    fire('idle');
    expect(written).toHaveLength(4);
  });

  it('follows its place and its severity, and goes with its selection', () => {
    const { mark, written } = drawn();
    mark.setTable(tableOf(bridge));
    mark.setKey(1);
    mark.setTable(tableOf({ ...bridge, longitude: 11 }));
    mark.setTable(tableOf({ ...bridge, longitude: 11, severity: 'critical' }));
    mark.setKey(null);
    const [, first, moved, worse, gone] = written;
    expect(first?.[0]).toEqual([10, 20]);
    expect(moved).toEqual([[11, 20], first?.[1]]);
    expect(worse?.[0]).toEqual([11, 20]);
    expect(worse?.[1]).not.toBe(first?.[1]);
    expect(gone).toBeNull();
    expect(written).toHaveLength(5);
  });
});
