import type { Page } from '@playwright/test';
import { languages, type ConsoleState, type Level } from '../../src-preload/contract/index.ts';
import { expect, inLanguage, slow, test } from './fixtures.ts';
import { recorded, recordedNow, throttled, unreachable } from './states.ts';

type Change = { readonly [N in keyof ConsoleState]?: Partial<ConsoleState[N]> };

const { health, storage } = recorded.workspace.slices;
const integration = health!.integrations[0]!;
/** As many integrations as a large service reports, some of which are known to it alone. */
const several = (level: Level): Change => ({
  health: {
    integrations: [
      ...health!.integrations,
      ...['Satellite downlink', 'Hydrological model', 'Message broker of the region'].map((label, at) => ({
        ...integration,
        field: `foreign_${String(at)}`,
        label: { text: label },
      })),
    ].map((one) => ({ ...one, level, since: recordedNow - 90_000 })),
  },
});
const troubles: Readonly<Record<string, Change>> = {
  down: several('down'),
  'degraded, throttled': {
    ...several('degraded'),
    incidents: { freshness: 'ageing', failure: throttled },
  },
  'down, one API lost': {
    ...several('down'),
    incidents: { freshness: 'stale', failure: unreachable },
    connection: { coordination: { state: 'offline', since: recordedNow - 60_000, failure: unreachable } },
    line: { bytesPerSecond: 6_900 },
  },
  'down, muted, in memory, clock ahead': {
    ...several('down'),
    siren: { mutedUntil: recordedNow + 30 * 60_000 },
    time: { skewMs: 7 * 60_000 },
    storage: { ...storage!, keeping: 'memory' },
  },
};
const sizes = [
  { width: 1280, height: 720 },
  { width: 1280, height: 1024 },
];

/** What is cut of the texts within these elements: beyond the window, beyond the element itself, or by an ellipsis. */
const cutIn = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((selector) => {
    /** Pixels: both widths of an element are rounded, and letters reach a little out of their line. */
    const [sideways, upAndDown] = [1, 3];
    const found: string[] = [];
    for (const whole of document.querySelectorAll<HTMLElement>(selector)) {
      const room = whole.getBoundingClientRect();
      for (const part of whole.querySelectorAll<HTMLElement>('*')) {
        if (!part.checkVisibility({ visibilityProperty: true }) || part.closest('.sr-only') !== null)
          continue;
        const said = `${part.className}: ${part.textContent.trim()}`;
        if (part.clientWidth > 0 && part.scrollWidth > part.clientWidth + sideways) found.push(said);
        const box = part.getBoundingClientRect();
        const isOut =
          box.left < room.left - sideways ||
          box.right > room.right + sideways ||
          box.top < room.top - upAndDown ||
          box.bottom > room.bottom + upAndDown;
        if (isOut && part.textContent.trim() !== '') found.push(`beyond ${whole.className}: ${said}`);
      }
    }
    return found;
  }, within);

test('integrations that are not known to be well stay in the shortest bar', async ({ shown }) => {
  const page = await shown.open('integrations, unreachable', { language: 'es' });
  await page.setViewportSize({ width: 1024, height: 768 });
  const integrations = page.getByRole('contentinfo').getByRole('button', { name: 'Abrir integraciones' });
  await expect(integrations).toBeVisible();
  await expect.poll(() => cutIn(page, '.status')).toEqual([]);
});

for (const [state, within] of [
  ['incidents', '.status'],
  ['wallboard', '.head, .foot, .list__row'],
  ['wallboard, two alarms', '.head, .foot, .list__row'],
] as const)
  for (const language of languages) {
    // Two alarms leave less room for the rest than one does; the list is the same.
    const details = state === 'wallboard' ? slow : inLanguage(language);
    test(
      `with several integrations down no status is cut: ${state}, ${language}`,
      details,
      async ({ shown }) => {
        for (const [trouble, change] of Object.entries(troubles)) {
          const page = await shown.open(state, { language, textSize: 'largest' });
          await shown.push(change);
          for (const size of sizes) {
            await page.setViewportSize(size);
            await expect.poll(() => cutIn(page, within), `${trouble}, ${String(size.height)}`).toEqual([]);
          }
        }
      },
    );
  }
