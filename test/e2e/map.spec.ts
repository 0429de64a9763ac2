import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { WireIncident } from '../../src-main/training/incident.ts';
import { markLayer } from '../../src-renderer/map/clusters/index.ts';
import type { ClusterReply, ClusterRequest } from '../../src-renderer/map/clusters/messages.ts';
import { markReach } from '../../src-renderer/map/markSizes.ts';
import { themes } from '../../src-renderer/design/tokens.ts';
import { expect, test } from './support/fixtures.ts';
import type { Operator } from './support/operator.ts';
import { colourShares } from './support/pixels.ts';

interface AskedTile {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** What a page has that `holdTiles` was added to. */
interface TileWindow {
  readonly tileLog: {
    readonly asked: AskedTile[];
    /** How many incidents each index held. */
    readonly indexed: number[];
    /** What the map was given, the oldest first. */
    readonly answered: (AskedTile & { readonly bytes: readonly number[] })[];
  };
  letTilesGo: () => void;
}

/** Runs in the page: keeps the tiles of the map's worker back until they are let go, and notes what is said. */
function holdTiles(): void {
  const tileLog: TileWindow['tileLog'] = { asked: [], indexed: [], answered: [] };
  const byId = new Map<number, AskedTile>();
  let held: (() => void)[] | null = [];
  Object.assign(window, {
    tileLog,
    letTilesGo: () => {
      const waiting = held ?? [];
      held = null;
      for (const hand of waiting) hand();
    },
  });
  window.Worker = class extends Worker {
    override postMessage(
      message: ClusterRequest,
      transfer?: Transferable[] | StructuredSerializeOptions,
    ): void {
      if (message.kind === 'tile') {
        byId.set(message.id, message);
        tileLog.asked.push(message);
      }
      super.postMessage(message, transfer as Transferable[]);
    }
    override addEventListener(name: string, listener: EventListenerOrEventListenerObject): void {
      super.addEventListener(name, (event) => {
        const reply = (event as MessageEvent<ClusterReply | undefined>).data;
        const hand = (): void => {
          if (typeof listener === 'function') listener.call(this, event);
          else listener.handleEvent(event);
        };
        const tile = reply?.kind === 'tile' ? byId.get(reply.id) : undefined;
        if (reply?.kind === 'indexed') tileLog.indexed.push(reply.count);
        if (reply?.kind !== 'tile' || tile === undefined) {
          hand();
          return;
        }
        const answer = (): void => {
          tileLog.answered.push({ ...tile, bytes: [...new Uint8Array(reply.bytes)] });
          hand();
        };
        if (held === null) answer();
        else held.push(answer);
      });
    }
  };
}

interface DrawnMarks {
  /** How many incidents all marks stand for. */
  readonly count: number;
  /** Marks of which a part is beyond the map's edge or under something else, as `count at longitude latitude`. */
  readonly hidden: readonly string[];
}

/** Of the marks at the zoom where the map looks, those whose box is not wholly on the free map; holds `holdTiles`. */
async function drawnMarks({ page, drawnMap }: Operator): Promise<DrawnMarks> {
  const [longitude = 0, latitude = 0, zoom = 0] = ((await drawnMap.getAttribute('data-camera')) ?? '')
    .split(' ')
    .map(Number);
  const level = Math.max(0, Math.floor(zoom));
  const answered = await page.evaluate(
    (wanted) => (window as unknown as TileWindow).tileLog.answered.filter((tile) => tile.zoom === wanted),
    level,
  );
  const latest = new Map(answered.map((tile) => [`${tile.x}/${tile.y}`, tile]));
  const turn = 512 * 2 ** zoom;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const centre = [
    (longitude / 360 + 0.5) * turn,
    (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * turn,
  ] as const;
  const marks = [...latest.values()].flatMap((tile) => {
    const layer = new VectorTile(new PbfReader(Uint8Array.from(tile.bytes))).layers[markLayer];
    return Array.from({ length: layer?.length ?? 0 }, (_, at) => {
      const feature = layer?.feature(at);
      const place = feature?.loadGeometry()[0]?.[0];
      const { count, over } = feature?.properties ?? {};
      const extent = feature?.extent ?? 1;
      return {
        count: Number(count),
        half: markReach(Number(count), over === 1),
        // From the middle of the map.
        x: ((tile.x + (place?.x ?? 0) / extent) / 2 ** level) * turn - centre[0],
        y: ((tile.y + (place?.y ?? 0) / extent) / 2 ** level) * turn - centre[1],
      };
    });
  });
  const hidden = await drawnMap.evaluate(
    (map, { all, worldWidth }) => {
      const frame = map.getBoundingClientRect();
      return all
        .filter(({ x, y, half }) => {
          const turned = x - worldWidth * Math.round(x / worldWidth);
          const middle = [frame.left + frame.width / 2 + turned, frame.top + frame.height / 2 + y] as const;
          const corners = [-half, 0, half].flatMap((dx) =>
            [-half, 0, half].map((dy) => [middle[0] + dx, middle[1] + dy] as const),
          );
          return corners.some(([left, top]) => {
            // A control that takes no pointer covers a mark as well.
            const over = document.elementsFromPoint(left, top)[0];
            const inFrame =
              left >= frame.left && left <= frame.right && top >= frame.top && top <= frame.bottom;
            return !inFrame || !(over instanceof HTMLCanvasElement);
          });
        })
        .map(({ count, x, y }) => `${count} at ${Math.round(x)} ${Math.round(y)}`);
    },
    { all: marks, worldWidth: turn },
  );
  return { count: marks.reduce((sum, { count }) => sum + count, 0), hidden };
}

test.describe('map', () => {
  test(
    '“Show all incidents” leaves no mark cut or under a control, all around the world',
    { tag: '@map' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.addInitScript(holdTiles);
      await page.reload();
      await page.evaluate(() => {
        (window as unknown as TileWindow).letTilesGo();
      });
      await operator.signIn(service.credentials);
      await operator.expectIncidents(1712);
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '1707');
      for (const [width, height] of [
        [1280, 720],
        [1440, 900],
        [1024, 768],
      ] as const) {
        await page.setViewportSize({ width, height });
        await operator.map.getByRole('button', { name: 'Zoom in' }).click();
        await expect.poll(async () => (await drawnMarks(operator)).hidden).not.toEqual([]);
        await operator.map.getByRole('button', { name: 'Show all incidents' }).click();
        await page.mouse.move(0, 0);
        await expect
          .poll(() => drawnMarks(operator), { message: `${width} by ${height}` })
          .toEqual({ count: 1707, hidden: [] });
      }
    },
  );

  test(
    'draws land, water and the incidents’ severities in both themes',
    { tag: ['@smoke', '@map', '@journey'] },
    async ({ operator, browser }) => {
      await operator.expectIncidents(1712);
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '1707');
      await expect(operator.drawnMap).toHaveAttribute('data-map-details', 'drawn');
      // The first view is that of the incidents that came first.
      await operator.map.getByRole('button', { name: 'Show all incidents' }).click();
      for (const name of ['day', 'night'] as const) {
        const theme = themes[name];
        const toggle = operator.page.getByRole('button', { name: `Switch to ${name}` });
        if (await toggle.isVisible()) await toggle.click();
        await expect(operator.page.locator('html')).toHaveAttribute('data-theme', name);
        await expect
          .poll(async () => {
            const shares = await colourShares(browser, operator.map, [
              theme.mapLand,
              theme.mapWater,
              theme.severityMedium,
              theme.severityHigh,
            ]);
            return Object.entries(shares)
              .filter(([, share]) => share < 0.0002)
              .map(([colour]) => colour);
          })
          .toEqual([]);
        const { [theme.mapLand]: land = 0, [theme.mapWater]: water = 0 } = await colourShares(
          browser,
          operator.map,
          [theme.mapLand, theme.mapWater],
        );
        expect(land).toBeGreaterThan(0.05);
        expect(water).toBeGreaterThan(0.2);
      }
    },
  );

  test(
    'a click on the map selects what is there',
    { tag: ['@map', '@packed'] },
    async ({ operator, service }) => {
      await operator.expectIncidents(1712);
      service.addIncident({
        id: 'lonely',
        incident_type: 'wildfire',
        severity: 'critical',
        location: { latitude: -35, longitude: -15, altitude: 12.5 },
      });
      await operator.expectIncidents(1713);
      await operator.incidents.getByRole('option').first().click();
      await expect(operator.details.getByText('wildfire').first()).toBeVisible();
      await operator.page.getByRole('button', { name: /Show on map/ }).click();
      // Told where the flight ends: closing the details or a click would end it before.
      const drawn = operator.drawnMap;
      await expect(drawn).toHaveAttribute('data-camera', /^-15\.000 -35\.000 /);
      const selected = await drawn.getAttribute('data-selected-incident');
      await operator.page.keyboard.press('Escape');
      await expect(operator.details).toHaveCount(0);
      await expect(drawn).toHaveAttribute('data-map-state', 'ready');
      // Shown on the map, the incident stands in the middle of it.
      await expect
        .poll(
          async () => {
            const box = await operator.map.boundingBox();
            if (!box) return null;
            await operator.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
            return drawn.getAttribute('data-selected-incident');
          },
          { intervals: [1_000] },
        )
        .toBe(selected);
      await expect(operator.details.getByText('wildfire').first()).toBeVisible();
      await expect(operator.incidents.getByRole('option', { selected: true })).toContainText(/wildfire/i);
    },
  );

  test.describe('of which more and more becomes known', () => {
    test.use({ serviceOptions: { dataset: [] } });

    test(
      'looks at all of it until a hand moves it, and again when all is asked for',
      { tag: '@map' },
      async ({ operator, service }) => {
        const { page, drawnMap: drawn } = operator;
        const add = (count: number, longitude: number, latitude: number): void => {
          const location = { latitude, longitude, altitude: 1 };
          service.addIncident({ id: `at-${count}`, incident_type: 'flood', severity: 'high', location });
        };
        // At once: what comes ten seconds after the first is for an operator who has the map already.
        add(1, 12, 45);
        add(2, 20, 47);
        await expect(drawn).toHaveAttribute('data-drawn-incidents', '2');
        await expect(drawn, 'between the two').toHaveAttribute('data-camera', /^16\.\d+ 4[56]\./);
        let moved = (await drawn.getAttribute('data-camera')) ?? '';
        await operator.map.hover();
        await page.mouse.wheel(0, 300);
        await expect(drawn).not.toHaveAttribute('data-camera', moved);
        // The wheel's glide is over when the camera stays.
        await expect
          .poll(async () => {
            const before = moved;
            moved = (await drawn.getAttribute('data-camera')) ?? '';
            return moved === before;
          })
          .toBe(true);
        add(3, -70, -30);
        await expect(drawn).toHaveAttribute('data-drawn-incidents', '3');
        await expect(drawn).toHaveAttribute('data-camera', moved);
        await page.getByRole('button', { name: 'Show all incidents' }).click();
        await expect(drawn).not.toHaveAttribute('data-camera', moved);
      },
    );
  });

  test('without WebGL the list still works and a sentence says what happened', async ({
    opened,
    service,
  }) => {
    const { page, operator } = opened;
    await page.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (
        this: HTMLCanvasElement,
        kind: string,
        ...rest: unknown[]
      ) {
        if (kind.startsWith('webgl')) return null;
        return (original as (...args: unknown[]) => unknown).call(this, kind, ...rest);
      } as typeof original;
    });
    await page.reload();
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1712);
    await expect(operator.map.getByText(/WebGL/)).toBeVisible();
    await operator.incidents.getByRole('option').first().click();
    await expect(operator.details).toBeVisible();
  });

  test(
    'a map that lost its graphics comes back as it would look by now',
    { tag: '@map' },
    async ({ operator, service, browser }) => {
      const { page } = operator;
      const drawn = page.locator('[data-map-state]');
      await expect(drawn).toHaveAttribute('data-drawn-incidents', '1707');
      const graphics = (act: 'loseContext' | 'restoreContext') =>
        page.evaluate((what) => {
          const kept = window as { graphics?: WEBGL_lose_context | null };
          kept.graphics ??=
            document
              .querySelector<HTMLCanvasElement>('canvas.maplibregl-canvas')
              ?.getContext('webgl2')
              ?.getExtension('WEBGL_lose_context') ?? null;
          kept.graphics?.[what]();
        }, act);
      await graphics('loseContext');
      await expect(drawn).toHaveAttribute('data-map-state', 'context-lost');
      // A hand on what shows nothing, and everything that can change meanwhile.
      const box = await operator.map.boundingBox();
      if (!box) throw new Error('The map has no box');
      await page.mouse.move(box.x + 300, box.y + 300);
      await page.mouse.wheel(0, -400);
      await page.mouse.down();
      await page.mouse.move(box.x + 400, box.y + 330, { steps: 4 });
      await page.mouse.up();
      await operator.incidents.getByRole('option').nth(5).click();
      await operator.openPanel('Settings');
      await page.getByRole('button', { name: 'Day', exact: true }).click();
      await page.getByRole('combobox', { name: 'Text size' }).selectOption('largest');
      const goTo = page.getByRole('combobox', { name: 'Go to a place' });
      await goTo.fill('15 N, 20 E');
      await goTo.press('Enter');
      await page.getByRole('combobox', { name: 'Language' }).selectOption('hi');
      // The list, whatever its name is.
      await page.locator('.desk__rail').getByRole('button').first().click();
      await page.setViewportSize({ width: 1280, height: 800 });
      service.addIncident({
        id: 'unseen',
        incident_type: 'wildfire',
        severity: 'critical',
        location: { latitude: 15, longitude: 20, altitude: 1 },
      });
      await expect(page.getByText('1,713').first()).toBeVisible();
      await graphics('restoreContext');
      await expect(drawn).toHaveAttribute('data-map-state', 'ready');
      await expect(drawn).toHaveAttribute('data-drawn-incidents', '1708');
      await expect(drawn).toHaveAttribute('data-camera', /^20\.000 15\.000 /);
      const { mapLand, severityCritical } = themes.day;
      await expect
        .poll(async () => {
          const shares = await colourShares(browser, drawn, [mapLand, severityCritical]);
          return Object.values(shares).every((share) => share > 0.0001);
        })
        .toBe(true);
    },
  );

  test(
    'the first view of a window that was as large as a wall for a moment is as it was',
    { tag: '@map' },
    async ({ opened, service }) => {
      const { page, operator } = opened;
      await operator.signIn(service.credentials);
      await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '1707');
      const camera = (): Promise<string | null> => operator.drawnMap.getAttribute('data-camera');
      const first = (await camera()) ?? '';
      for (const [width, height] of [
        [3840, 2160],
        [1024, 768],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect.poll(camera).not.toBe(first);
        await page.setViewportSize({ width: 1440, height: 900 });
        await expect.poll(camera).toBe(first);
      }
    },
  );

  test.describe('with incidents of one place', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    test.use({
      serviceOptions: {
        dataset: ids.map((id) => ({
          id: `stacked-${id}`,
          incident_type: 'wildfire',
          severity: 'high',
          status: 'open',
          created_at: '2026-01-01T00:00:00Z',
          evidence_count: 0,
          blockchain_records: [],
          location: { latitude: 50, longitude: 10, altitude: 1 },
        })),
      },
    });

    test(
      'a press on their mark opens one of them, and the map steps to the others',
      { tag: '@map' },
      async ({ operator }) => {
        const { page, map, drawnMap } = operator;
        await operator.expectIncidents(ids.length);
        await expect(drawnMap).toHaveAttribute('data-drawn-incidents', String(ids.length));
        await expect(drawnMap).toHaveAttribute('data-camera', /^10\.000 50\.000 /);
        const box = await map.boundingBox();
        if (!box) throw new Error('The map has no box');
        const position = map.getByRole('group', { name: 'Incidents of one place' }).getByRole('status');
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await expect(map.getByText('Active: 6 high. In all: 6.')).toBeVisible();
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await expect(position).toHaveText('1 of 6 here');
        await expect(operator.details).toContainText('Wildfire');
        await map.getByRole('button', { name: 'Previous incident here' }).click();
        await expect(position).toHaveText('6 of 6 here');
        await map.getByRole('button', { name: 'Previous incident here' }).click();
        await expect(position).toHaveText('5 of 6 here');
      },
    );
  });

  test.describe('with incidents of one region', () => {
    const near = (id: string, longitude: number, latitude: number): WireIncident => ({
      id,
      incident_type: 'wildfire',
      severity: 'high',
      status: 'open',
      created_at: '2026-01-01T00:00:00Z',
      evidence_count: 0,
      blockchain_records: [],
      location: { latitude, longitude, altitude: 1 },
    });
    test.use({
      serviceOptions: { dataset: [near('a', 10, 50), near('b', 14, 52), near('c', 12, 48)] },
    });
    test(
      'marks are of the incidents that are known when their tile was slow meanwhile',
      { tag: '@map' },
      async ({ opened, service }) => {
        const { page, operator } = opened;
        await page.addInitScript(holdTiles);
        await page.reload();
        await operator.signIn(service.credentials);
        await operator.expectIncidents(3);
        const seen = () => page.evaluate(() => (window as unknown as TileWindow).tileLog);
        const counts = async (): Promise<readonly number[]> => (await seen()).indexed;
        await expect.poll(counts).toContain(3);
        // The first look has moved the map: what it waits for now are the tiles of its place.
        await expect
          .poll(async () => Math.max(0, ...(await seen()).asked.map(({ zoom }) => zoom)))
          .toBeGreaterThan(2);
        service.addIncident(near('d', 12, 50));
        await expect.poll(counts).toContain(4);
        await page.evaluate(() => {
          (window as unknown as TileWindow).letTilesGo();
        });
        await expect(operator.drawnMap).toHaveAttribute('data-drawn-incidents', '4');
        const { answered } = await seen();
        const deepest = Math.max(...answered.map(({ zoom }) => zoom));
        const last = new Map(
          answered.filter(({ zoom }) => zoom === deepest).map((tile) => [`${tile.x}/${tile.y}`, tile.bytes]),
        );
        const inTile = (bytes: readonly number[]): number => {
          const layer = new VectorTile(new PbfReader(Uint8Array.from(bytes))).layers[markLayer];
          return Array.from({ length: layer?.length ?? 0 }, (_, at) =>
            Number(layer?.feature(at).properties['count']),
          ).reduce((sum, count) => sum + count, 0);
        };
        expect([...last.values()].map(inTile).reduce((sum, count) => sum + count, 0)).toBe(4);
      },
    );
  });
});
