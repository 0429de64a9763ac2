import type { Browser, Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handoverReportSchema, languages, type HandoverReport } from '../../src-preload/contract/index.ts';
import exportWords from '../../src-preload/contract/messages/en/exports.json' with { type: 'json' };
import printWords from '../../src-preload/contract/messages/en/print.json' with { type: 'json' };
import { paperOf, readPdf, unspaced, type PdfPage } from '../support/pdf.ts';
import { expect, inLanguage, slow, test, type Shown } from './fixtures.ts';

/**
 * Words that a PDF gives back as they were written. Of scripts that join or reorder their letters it gives back some
 * only; that those stand there is seen in the elements that are printed.
 */
const said = {
  en: ['Incidents, Harbour station', 'Filters: none, everything known', 'Latitude, longitude', 'Page 1 of'],
  es: ['Harbour station', 'Latitud, longitud'],
  fr: ['Harbour station', 'Latitude, longitude'],
  ar: ['Harbour station', 'MGRS'],
  hi: ['Harbour station', 'मध्यम', 'देशांतर'],
  'zh-Hans': ['Harbour station', '事件'],
} as const;

const wordsIn = async (language: string, file: string): Promise<unknown> =>
  JSON.parse(await readFile(`src-preload/contract/messages/${language}/${file}.json`, 'utf8'));
const wordsOf = async (language: string): Promise<typeof exportWords> =>
  (await wordsIn(language, 'exports')) as typeof exportWords;
const printWordsOf = async (language: string): Promise<typeof printWords> =>
  (await wordsIn(language, 'print')) as typeof printWords;

/** Begins to print the sheet; answers when the browser's dialog would be open. */
async function print(shown: Shown, language: string, size: 'a4' | 'letter'): Promise<Page> {
  const page = await shown.open('incidents', { language });
  await shown.push({ app: { host: 'browser' } });
  await page.evaluate(() => {
    window.print = () => void (document.documentElement.dataset['printed'] = 'yes');
  });
  const words = await wordsOf(language);
  await page.getByRole('button', { name: words.open, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: words.title });
  await dialog.locator('input[value="pdf"]').check();
  await dialog.getByRole('button', { name: words.papers[size], exact: true }).click();
  await dialog.getByRole('button', { name: words.begin, exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  return page;
}

async function pdfOf(page: Page): Promise<PdfPage[]> {
  return await readPdf(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
}

/** How a place is said in a language, with a town of these incidents. */
const placesSaid = {
  en: /^([\d,]+\skm (N|NE|E|SE|S|SW|W|NW) of )?\D+, [A-Z]{2}$/,
  es: /^(\d.*\skm al [NSEO]+ de )?\D+, [A-Z]{2}$/,
  fr: /^(\d.*\skm (au |à l’)[NSEO]+ (de |d’|du |des ))?\D+, [A-Z]{2}$/,
  ar: /^(على بُعد .+ (شمال|جنوب|شرق|غرب) )?\D+, [A-Z]{2}$/,
  hi: /^\D+, [A-Z]{2}( से .+ (उत्तर|पूर्व|दक्षिण|पश्चिम)(-(पूर्व|पश्चिम))?)?$/,
  'zh-Hans': /^\D+, [A-Z]{2}( ((以)?[东西南北]{1,2}) .+)?$/,
} as const;

/** Every row that has a location names the nearest town, above its coordinates. */
async function seePlaces(page: Page, language: (typeof languages)[number]): Promise<void> {
  const places = page.locator('body > .paper .list td:nth-child(5)').filter({ has: page.locator('bdo') });
  const names = await places.evaluateAll((all) =>
    all.map((one) => one.querySelector(':scope > bdi')?.textContent ?? one.textContent),
  );
  expect(names.length).toBe(120);
  expect(names.filter((name) => !placesSaid[language].test(name))).toEqual([]);
}

test.describe('the sheet of a browser that prints', () => {
  test('that cannot be printed leaves no line that says it was', async ({ shown }) => {
    const page = await shown.open('incidents');
    await shown.push({ app: { host: 'browser' } });
    await page.evaluate(() => {
      window.print = () => {
        throw new Error('no printing here');
      };
    });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export incidents' });
    await dialog.locator('input[value="pdf"]').check();
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByText('The sheet could not be made.')).toBeVisible();
    const [cancelled, dismissed] = [await shown.calls('cancelExport'), await shown.calls('dismissExport')];
    expect(dismissed).toHaveLength(1);
    expect(dismissed).toEqual(cancelled);
  });

  for (const language of languages) {
    for (const size of ['a4', 'letter'] as const) {
      // In both sizes once: the words are the same on each.
      const details = language === 'en' || size === 'a4' ? inLanguage(language) : slow;
      test(`${language}, ${size}: head, list and numbers of the pages`, details, async ({ shown }) => {
        const page = await print(shown, language, size);
        const { columns } = (await printWordsOf(language)).sheet;
        for (const words of Object.values(columns))
          await expect(page.locator('body > .paper thead')).toContainText(words);
        await seePlaces(page, language);
        const pages = await pdfOf(page);
        expect(pages.length).toBeGreaterThan(2);
        expect(new Set(pages.map(paperOf))).toEqual(new Set([size]));
        const text = pages.map((one) => unspaced(one.text)).join('');
        for (const words of said[language]) expect(text).toContain(unspaced(words));
        // Every incident stands in the list, and nothing of the page around it.
        for (const id of ['syn-7-00000', 'syn-7-0002e']) expect(text).toContain(id);
        expect(text).not.toContain('UTC/local');
        // It goes with the dialog.
        await expect(page.locator('body > .paper')).toHaveCount(0);
      });
    }
  }
});

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&\u202egnp\u2069.exe\u0000`;
/** As it stands in a file: what would change the text around it is shown. */
const harmless =
  '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;"\'&amp;[U+202E]gnp[U+2069].exe[U+0000]';

/** What a console says in a report, as it may have come from anywhere. */
const incident = {
  id: hostile,
  severity: 'critical',
  incidentType: hostile,
  status: hostile,
  createdAt: Date.UTC(2026, 10, 20, 12),
  location: { latitude: 12.5, longitude: -33.25 },
  place: { id: 'place.away.sw', values: { km: 1_012, town: 'Mindelo, CV' } },
};
const note = {
  id: '0'.repeat(32),
  incidentId: hostile,
  username: hostile,
  text: `Bridge is closed\nsince noon ${hostile}`,
  at: Date.UTC(2026, 10, 20, 11),
  changedAt: null,
};
const facts = (change: Partial<HandoverReport> = {}): HandoverReport =>
  handoverReportSchema.parse({
    madeAt: Date.UTC(2026, 10, 20, 14, 2),
    version: '9.9.9',
    training: true,
    deployment: { name: hostile, host: hostile },
    operators: [hostile],
    summary: hostile,
    successor: hostile,
    shift: { startedAt: Date.UTC(2026, 10, 20, 6), entries: 2, folded: 1, handedOverAt: null },
    incidents: { completeness: 'at-least', count: 1_204, lastReadAt: Date.UTC(2026, 10, 20, 14) },
    sync: { completeAsOf: null, uncertain: 3 },
    connection: {
      infrastructure: { state: 'offline', since: Date.UTC(2026, 10, 20, 13) },
      coordination: { state: 'online', since: Date.UTC(2026, 10, 20, 13) },
    },
    session: 'waiting',
    open: {
      critical: 62,
      criticalPlaces: {
        towns: [
          { town: { id: 1, name: 'Nysa', english: 'Nysa', country: 'PL' }, count: 41 },
          { town: { id: 2, name: 'Kłodzko', english: 'Klodzko', country: 'PL' }, count: 16 },
        ],
        noLocation: 2,
      },
      unranked: 0,
      high: 60,
      shown: [incident],
    },
    pinned: [
      { incidentId: hostile, incident, notes: [note] },
      { incidentId: 'unheard of', incident: null, notes: [] },
    ],
    otherNotes: { total: 2, shown: [{ ...note, id: '1'.repeat(32) }] },
    entries: [
      {
        at: 1,
        username: hostile,
        kind: 'upload-sent',
        subject: hostile,
        alarm: null,
        incidentId: hostile,
        outcome: null,
      },
      {
        at: 2,
        username: 'ann',
        kind: 'mission-decided',
        subject: 'm',
        alarm: null,
        incidentId: null,
        outcome: 'approve-unknown',
      },
    ],
    audit: { count: 42, state: 'intact', problem: null },
    auditHash: 'ab'.repeat(32),
    unknownDecisions: [{ missionId: hostile, decision: 'approve', at: 1 }],
    alarms: [{ at: 1, sentence: { text: hostile } }],
    uploads: {
      total: 2,
      unsent: [
        {
          state: 'needs-decision',
          fileName: hostile,
          why: { text: hostile },
        },
        {
          state: 'waiting',
          fileName: 'b.jpg',
          why: { id: 'failure.unreachable.sentence', values: {} },
        },
      ],
    },
    damaged: 1,
    ...change,
  });

/** Hands over; answers the report as the file that is saved. */
async function reportOf(shown: Shown, language: string, said = facts()): Promise<string> {
  const page = await shown.open('handover, with its report', { language });
  await page.route('**/export/*', (route) => route.fulfill({ json: said }));
  const saved = page.waitForEvent('download');
  await page.locator('.dialog .button--primary').click();
  const report = await readFile(await (await saved).path(), 'utf8');
  await page.unroute('**/export/*');
  return report;
}

/** Opens a file as a reader does, in a page of nothing else; everything that it fetches or refuses is a complaint. */
async function read(browser: Browser, html: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|file):/.test(request.url())) complaints.push(request.url());
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  const folder = await mkdtemp(join(tmpdir(), 'field-console-paper-'));
  await writeFile(join(folder, 'paper.html'), html);
  await page.goto(`file://${folder}/paper.html`);
  await rm(folder, { recursive: true });
  return { page, complaints };
}

test.describe('the report of a handover', () => {
  test('is printed by a browser that prints', async ({ shown }) => {
    const page = await shown.open('handover, with its report');
    await shown.push({ app: { host: 'browser' } });
    await page.route('**/export/*', (route) => route.fulfill({ json: facts() }));
    await page.evaluate(() => {
      window.print = () => void (document.documentElement.dataset['printed'] = 'yes');
    });
    const dialog = page.getByRole('dialog', { name: 'Hand over this shift?' });
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await expect(dialog).toContainText('Your browser’s dialog prints it or saves it as PDF.');
    await expect(dialog).toContainText('The paper holds your notes.');
    await expect(dialog).not.toContainText('not encrypted');
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
    await expect(dialog).toHaveCount(0);
    await expect(page.locator('.paper h1')).toHaveText((await printWordsOf('en')).handover.title);
    await expect(page.locator('.paper h1 + p')).toHaveText(
      'Active critical: 62 · Nysa, PL 41 · Kłodzko, PL 16 · elsewhere 3 · no location 2',
    );
    expect(await shown.calls('beginExport')).toEqual([]);
    await page.unroute('**/export/*');
  });

  test('goes to the desktop host, which makes a PDF of it', async ({ shown }) => {
    const page = await shown.open('handover, with its report');
    await shown.push({ app: { host: 'desktop' } });
    await page.route('**/export/*', (route) => route.fulfill({ json: facts() }));
    // A Blob that is sent cannot be read from outside of the page.
    await page.evaluate(() => {
      const fetchAsBefore = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        if (!(input instanceof URL) || !input.pathname.startsWith('/spool/'))
          return fetchAsBefore(input, init);
        document.documentElement.dataset['sent'] = input.pathname + (await new Response(init?.body).text());
        return new Response(null, { status: 204 });
      };
    });
    const dialog = page.getByRole('dialog', { name: 'Hand over this shift?' });
    await dialog.getByRole('button', { name: 'PDF', exact: true }).click();
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await shown.calls('beginExport')).toMatchObject([{ subject: 'handover', format: 'pdf' }]);
    const sent = await page.locator('html').getAttribute('data-sent');
    expect(sent).toMatch(new RegExp(`^/spool/${'1'.repeat(16)}<!doctype html>`, 'i'));
    expect(sent).toContain((await printWordsOf('en')).handover.title);
    await page.unroute('**/export/*');
  });

  for (const language of languages) {
    test(
      `${language}: is one file that prints on A4 and Letter with all that it says`,
      inLanguage(language),
      async ({ shown, browser }) => {
        const html = await reportOf(shown, language);
        const { page, complaints } = await read(browser, html);
        const { handover } = await printWordsOf(language);
        await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
        await expect(page.locator('h1')).toHaveText(handover.title);
        for (const words of [
          handover.openHeading,
          handover.pinnedHeading,
          handover.logHeading,
          handover.local,
        ])
          await expect(page.locator('body')).toContainText(words);
        await expect(page.locator('.loud')).toContainText(handover.unknownDecision.approve);
        // The town by its direction, and both forms of the place.
        for (const words of ['Mindelo, CV', '12.50000, -33.25000', '25P'])
          await expect(page.locator('table').nth(1)).toContainText(words);
        if (language !== 'en')
          for (const words of ['Handover', 'Shift', 'Severity', 'was sent', 'SW of', 'No link'])
            await expect(page.locator('body')).not.toContainText(words);
        for (const format of ['a4', 'letter'] as const) {
          const pages = await readPdf(
            await page.pdf({ format, printBackground: true, preferCSSPageSize: true }),
          );
          expect(new Set(pages.map(paperOf))).toEqual(new Set([format]));
          expect(unspaced(pages.map(({ text }) => text).join(''))).toContain('ab'.repeat(32));
        }
        expect(complaints).toEqual([]);
        await page.close();
      },
    );
  }

  test('lets nothing that came from elsewhere be anything but text, in its own direction', async ({
    shown,
    browser,
  }) => {
    const html = await reportOf(shown, 'en');
    expect(html).not.toMatch(/<(script|link|iframe|object|a|img)\b|<[^>]*\s(?:on\w+|style)=|https?:\/\//i);
    expect(html).not.toMatch(/[\u0000\u202a-\u202e]/);
    expect(html.split(harmless).length).toBeGreaterThan(15);
    const { page, complaints } = await read(browser, html);
    expect(await page.evaluate(() => document.querySelectorAll('script, img').length)).toBe(0);
    await expect(page.locator('.note').first().locator('p').first()).toHaveAttribute('dir', 'auto');
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('brings its fonts, and a policy that names its one style and lets nothing else in', async ({
    shown,
  }) => {
    const html = await reportOf(shown, 'hi');
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; img-src data:; font-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html.match(/<style/g)).toHaveLength(1);
    const faces = [
      ...style.matchAll(/font-family: '([^']+)'; font-style[^}]*url\(data:font\/woff2;base64,/g),
    ];
    const families = new Set(faces.map(([, family]) => family));
    expect(families).toEqual(
      new Set(['Inter Variable', 'Noto Sans Devanagari Variable', 'JetBrains Mono Variable']),
    );
    expect(html.length).toBeLessThan(1_000_000);
  });

  test('says how incomplete it is, and nothing of the audit list where that is not known', async ({
    shown,
    browser,
  }) => {
    const none = { count: 0, state: 'unknown', problem: null } as const;
    const html = await reportOf(shown, 'en', facts({ audit: none, training: false, damaged: 0 }));
    const { page } = await read(browser, html);
    const body = page.locator('body');
    await expect(body).toContainText('At least 1,204 incidents. 3 time windows may be incomplete.');
    await expect(body).not.toContainText('audit list');
    await expect(body).not.toContainText('TRAINING');
    await expect(body).toContainText('The map could not be drawn, so it is not in this report.');
    await page.close();
  });
});
