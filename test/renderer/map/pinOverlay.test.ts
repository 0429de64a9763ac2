import fc from 'fast-check';
import type { GeoJSONSource } from 'maplibre-gl';
import { describe, expect, it } from 'vitest';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { pinLayer, pinnedPlaces, PinOverlay, pinSources } from '../../../src-renderer/map/pinOverlay.ts';
import { mapLayers, marksLayerId, selectionLayerId } from '../../../src-renderer/map/style.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { rowWith } from '../table/arbitrary.ts';
import { FrameMaker, type ModelRow } from '../table/frames.ts';

const row = (key: number, longitude: number, latitude: number): ModelRow => ({
  key,
  id: `incident-${key}`,
  severity: 'high',
  status: 'open',
  type: 'fire',
  createdAt: 0,
  latitude,
  longitude,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
});

const someRows = fc.uniqueArray(rowWith(fc.nat(40)), { selector: ({ key }) => key });

function tableOf(model: readonly ModelRow[]): IncidentTable {
  const table = new IncidentTable();
  table.apply(new FrameMaker().frame(model, true));
  return table;
}
const allOf = (table: IncidentTable): Uint32Array =>
  Uint32Array.from({ length: table.length }, (_, at) => at);

/** A map that keeps what is written into its source. */
function drawn() {
  const written: [number, number][][] = [];
  const counts: number[] = [];
  const state = { drawable: true };
  const setData = (data: { features: readonly { geometry: { coordinates: [number, number] } }[] }): void => {
    written.push(data.features.map(({ geometry }) => geometry.coordinates));
  };
  const overlay = new PinOverlay({
    map: { getSource: () => ({ setData }) as unknown as GeoJSONSource } as never,
    isDrawable: () => state.drawable,
    onDrawn: (count) => counts.push(count),
  });
  return { overlay, written, counts, state };
}

describe('the places of pins', () => {
  it('are those of the shown incidents that are pinned and have one', () => {
    const table = tableOf([row(7, 10, 20), row(8, 30, 40), row(9, Number.NaN, Number.NaN), row(10, 50, 60)]);
    const pinned = new Set([8, 9, 10, 99]);
    expect(pinnedPlaces(table, allOf(table), pinned)).toEqual([
      [30, 40],
      [50, 60],
    ]);
    expect(pinnedPlaces(table, Uint32Array.of(0, 1), pinned)).toEqual([[30, 40]]);
    expect(pinnedPlaces(table, allOf(table), new Set())).toEqual([]);
  });

  it('are as many as pinned incidents are shown, whatever the table', () => {
    fc.assert(
      fc.property(someRows, fc.array(fc.nat(40)), (model, keys) => {
        const table = tableOf(model);
        const pinned = new Set(keys);
        const places = pinnedPlaces(table, allOf(table), pinned);
        const wanted = model.filter(({ key, latitude }) => pinned.has(key) && !Number.isNaN(latitude));
        expect(places).toHaveLength(wanted.length);
      }),
    );
  });
});

describe('the layer of pins', () => {
  it('is drawn anew when pins or incidents change, and after the graphics came back', () => {
    const table = tableOf([row(1, 10, 20), row(2, 30, 40)]);
    const { overlay, written, counts, state } = drawn();
    overlay.setRows(table, allOf(table));
    overlay.setKeys(new Set([2]));
    expect(written.at(-1)).toEqual([[30, 40]]);
    state.drawable = false;
    const before = written.length;
    overlay.setKeys(new Set([1, 2]));
    expect(written).toHaveLength(before);
    state.drawable = true;
    overlay.apply();
    expect(written.at(-1)).toEqual([
      [10, 20],
      [30, 40],
    ]);
    // A filter takes the incident away, and its pin with it.
    overlay.setRows(table, Uint32Array.of(0));
    expect(counts).toEqual([0, 1, 2, 1]);
  });

  it('is written anew where it changed, and where the map lost what it had, and not otherwise', () => {
    const table = tableOf([row(1, 10, 20), row(2, 30, 40)]);
    const { overlay, written } = drawn();
    overlay.setRows(table, allOf(table));
    overlay.setRows(table, Uint32Array.of(0));
    expect(written).toEqual([[]]);
    overlay.setKeys(new Set([2]));
    overlay.setRows(table, allOf(table));
    overlay.setRows(table, allOf(table));
    expect(written).toEqual([[], [[30, 40]]]);
    overlay.apply();
    expect(written).toEqual([[], [[30, 40]], [[30, 40]]]);
  });

  it('lies over marks and selection in every theme, and hides neither', () => {
    expect(Object.keys(pinSources)).toContain('source' in pinLayer ? pinLayer.source : '');
    for (const theme of Object.values(themes)) {
      const ids = mapLayers(theme, 1).map(({ id }) => id);
      const at = ids.indexOf(pinLayer.id);
      expect(at).toBeGreaterThan(ids.indexOf(marksLayerId));
      expect(at).toBeGreaterThan(ids.indexOf(selectionLayerId));
    }
    expect(pinLayer.layout).toMatchObject({ 'icon-allow-overlap': true, 'icon-ignore-placement': true });
  });
});
