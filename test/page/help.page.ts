import type { Locator, Page } from '@playwright/test';
import en from '../../src-preload/contract/messages/en/help.json' with { type: 'json' };
import { glossary, type WordGroup } from '../../src-renderer/features/help/glossary.ts';
import { expect, test } from './fixtures.ts';

/** Where a group's words stand: a state of the gallery, one of the words, and for some what is pressed first. */
interface Place {
  readonly state: string;
  readonly word: string;
  readonly press?: (page: Page) => Locator;
}

const byHelp: Readonly<Record<Exclude<WordGroup, 'upload' | 'session'>, Place>> = {
  connection: { state: 'diagnostics, connection', word: 'online' },
  freshness: {
    state: 'incidents',
    word: 'fresh',
    press: (page) => page.getByRole('button', { name: 'Data status', exact: true }),
  },
  completeness: { state: 'incidents', word: 'complete' },
  health: { state: 'integrations, one down', word: 'down' },
  mission: {
    state: 'missions',
    word: 'pending',
    press: (page) => page.getByRole('region', { name: 'Missions' }).getByRole('option').first(),
  },
  decision: { state: 'decision unknown', word: 'unknown' },
  events: { state: 'events', word: 'open' },
  keeping: { state: 'data on this computer', word: 'memory' },
  vault: { state: 'data on this computer', word: 'set-aside' },
  verdict: { state: 'evidence, verified', word: 'differs' },
  audit: { state: 'audit list', word: 'intact' },
  update: { state: 'settings, update ready', word: 'ready' },
};

interface Meaning {
  readonly word: string;
  readonly about: string;
}
const words = en.words as unknown as Readonly<Record<WordGroup, Readonly<Record<string, Meaning>>>>;

test.describe('the words of states', () => {
  test('the ring around the list of words keeps clear of the sentence above it and of the words', async ({
    shown,
  }) => {
    const page = await shown.open('words');
    const list = (await page.getByRole('group', { name: en.words.name }).boundingBox())!;
    const above = (await page.getByText(en.words.about).boundingBox())!;
    const word = (await page.getByRole('dialog').getByRole('heading', { level: 3 }).first().boundingBox())!;
    expect(list.y - (above.y + above.height)).toBeGreaterThanOrEqual(4);
    expect(word.x - list.x).toBeGreaterThanOrEqual(4);
  });

  test('in the log of connections the explanation stands behind what it explains', async ({ shown }) => {
    const page = await shown.open('diagnostics, connection');
    const names = page.locator('.connections__what').getByText(/^(Coordination|Infrastructure)$/);
    await expect(names).toHaveCount(2);
    const starts = await names.evaluateAll((all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().left)),
    );
    expect(new Set(starts).size).toBe(1);
  });

  for (const [group, { state, word, press }] of Object.entries(byHelp))
    test(`of ${group} are explained where they stand`, async ({ shown }) => {
      const meant = words[group as WordGroup][word];
      if (meant === undefined) throw new Error(`No word ${word} of ${group}`);
      const page = await shown.open(state);
      await press?.(page).click();
      const explain = en.words.explain.replace('{word}', meant.word);
      await page.getByRole('button', { name: explain, exact: true }).first().click();
      const about = page.getByRole('dialog').filter({ hasText: meant.about });
      await about.getByRole('button', { name: en.words.all }).click();
      await expect(page.getByRole('dialog', { name: en.words.name })).toContainText(meant.about);
    });

  test('of uploads are among the facts of an opened row', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    const rows = page.getByRole('grid', { name: 'Uploads' });
    for (const state of ['sending', 'failed'] as const) {
      const { word, about } = words.upload[state] ?? { word: state, about: state };
      await rows.getByRole('gridcell').filter({ hasText: word }).first().click();
      await expect(rows.getByText(about)).toBeVisible();
    }
  });

  test('of the session are a press away in the menu of the account', async ({ shown }) => {
    const page = await shown.open('account');
    await page.getByRole('button', { name: en.words.name }).click();
    const all = page.getByRole('dialog', { name: en.words.name });
    for (const { word, about } of Object.values(words.session)) {
      await expect(all).toContainText(word);
      await expect(all).toContainText(about);
    }
  });

  test('are all in the list of all words, by what they are a state of', async ({ shown }) => {
    const page = await shown.open('words');
    const all = page.getByRole('dialog', { name: en.words.name });
    for (const { group } of glossary)
      await expect(all.getByRole('heading', { name: en.words.groups[group], exact: true })).toBeVisible();
  });
});

/** Icons that point to a side, by a state in which they stand. Time runs from left to right in every language. */
const sided = {
  'incidents, what changed': { 'lucide-arrow-left': true },
  views: { 'lucide-panels-top-left': true },
  account: { 'lucide-log-out': true },
  replay: { 'lucide-step-back': false, 'lucide-step-forward': false },
};

test.describe('icons that point to a side', () => {
  for (const [state, icons] of Object.entries(sided))
    test(`are turned round from right to left, but for those of time: ${state}`, async ({ shown }) => {
      for (const [icon, turned] of Object.entries(icons))
        for (const language of ['en', 'ar']) {
          const page = await shown.open(state, { language });
          const scale = await page
            .locator(`svg.${icon}`)
            .first()
            .evaluate((drawn) => new DOMMatrix(getComputedStyle(drawn).transform).a);
          expect(scale, `${icon} in ${language}`).toBe(turned && language === 'ar' ? -1 : 1);
        }
    });
});
