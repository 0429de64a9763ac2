import type { Locator, Page } from '@playwright/test';
import { catchCopies } from './copies.ts';
import { expect, test } from './fixtures.ts';
import { recorded } from './states.ts';

const outboxOf = (page: Page): Locator => page.getByRole('region', { name: 'Outbox', exact: true });
const rowOf = (page: Page, name: string): Locator =>
  outboxOf(page).getByRole('row').filter({ hasText: name });

test.describe('outbox', () => {
  test('says each file’s state, why it stands so, and its failure’s code', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    await expect(rowOf(page, 'breach-east.mp4').getByText('Sending', { exact: true })).toBeVisible();
    await expect(rowOf(page, 'breach-east.mp4')).toContainText('48.0 MB');
    await expect(rowOf(page, 'levee-12.jpg').getByText('Queued', { exact: true })).toBeVisible();
    await expect(rowOf(page, 'too-large.tif')).toContainText('The service refused the file: too large.');
    await expect(rowOf(page, 'too-large.tif')).toContainText('HTTP 413');
    // What helps stands where the operator has to do it; elsewhere it unfolds.
    await expect(rowOf(page, 'too-large.tif')).toContainText('Make it smaller, and add it again.');
    const queued = rowOf(page, 'levee-12.jpg');
    await expect(queued).toContainText('The service could not be reached.');
    await expect(queued).not.toContainText('It is sent once the service answers.');
    await queued.getByText('levee-12.jpg').click();
    await expect(queued).toContainText('It is sent once the service answers.');
    await expect(rowOf(page, 'bridge.jpg').getByText('Needs decision', { exact: true })).toBeVisible();
  });

  test('its counts and the badge of the rail are those of the rows', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    const counts = outboxOf(page).getByText('1 needs a decision');
    await expect(counts).toBeVisible();
    for (const part of ['1 failed', '1 not proven', '1 sending', '1 queued'])
      await expect(outboxOf(page).getByText(part)).toBeVisible();
    await expect(outboxOf(page).getByRole('row')).toHaveCount(5);
    // What needs the operator: the failed one and the one to decide.
    const rail = page.getByRole('navigation', { name: 'Panels' });
    await expect(rail.getByRole('button', { name: /^Outbox/ })).toContainText('2');
  });

  test('says how long a slow link needs, and sends a file later or now', async ({ shown }) => {
    const page = await shown.open('outbox, on a slow link');
    const [queued, postponed] = [rowOf(page, 'levee-12.jpg'), rowOf(page, 'bridge.jpg')];
    await expect(queued).toContainText(/about 9\smin on this link · a break starts again from 0/);
    await queued.getByRole('button', { name: 'Send levee-12.jpg when the link is faster' }).click();
    expect(await shown.calls('postponeUpload')).toEqual([{ id: '0000000000000000' }]);
    await expect(postponed).toContainText('Sends when the link is faster.');
    await postponed.getByRole('button', { name: 'Send bridge.jpg now' }).last().click();
    expect(await shown.calls('pauseUpload')).toEqual([{ id: '0000000000000001', paused: false }]);
  });

  test('says of a sent file that nothing proves it, and erases its copy only when asked twice', async ({
    shown,
  }) => {
    const page = await shown.open('outbox, in every state');
    const row = rowOf(page, 'harbour.jpg');
    await expect(row.getByText('Not proven', { exact: true })).toBeVisible();
    await expect(row).toContainText('The service says: quota exceeded.');
    await expect(row).toContainText('Sent, not proven: the copy stays here.');
    await row.getByRole('button', { name: 'Look for harbour.jpg in the evidence list' }).click();
    await row.getByRole('button', { name: /^Erase/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase the copy of harbour.jpg here?' });
    await expect(dialog).toContainText('The service says: quota exceeded.');
    await expect(dialog).toContainText('this may be its last copy');
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await row.getByRole('button', { name: /^Erase/ }).click();
    await dialog.getByRole('button', { name: 'Erase the copy here' }).click();
    const about = { id: '0000000000000005' };
    expect(await shown.calls('decideUpload')).toEqual([
      { ...about, decision: 'check' },
      { ...about, decision: 'erase' },
    ]);
    expect(await shown.calls('discardUpload')).toEqual([]);
  });

  test('retries a failed file and no other', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    await rowOf(page, 'too-large.tif').getByRole('button', { name: 'Retry' }).click();
    expect(await shown.calls('retryUpload')).toEqual([{ id: '0000000000000003' }]);
  });

  test('asks before it discards, and says what is destroyed', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    await rowOf(page, 'too-large.tif').getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard too-large.tif?' });
    await expect(dialog).toContainText('The copy on this computer (40.0 kB) is deleted.');
    await dialog.getByRole('button', { name: 'Keep' }).click();
    expect(await shown.calls('discardUpload')).toEqual([]);
    await rowOf(page, 'too-large.tif').getByRole('button', { name: 'Discard' }).click();
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
    expect(await shown.calls('discardUpload')).toEqual([{ id: '0000000000000003', state: 'failed' }]);
  });

  test('answers an unknown outcome by checking first or by sending again', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    const row = rowOf(page, 'bridge.jpg');
    await row.getByRole('button', { name: /^Check/ }).click();
    await row.getByRole('button', { name: /^Send again/ }).click();
    expect(await shown.calls('decideUpload')).toEqual([
      { id: '0000000000000004', decision: 'check' },
      { id: '0000000000000004', decision: 'send' },
    ]);
  });

  test('every file has its menu under its own name, and asks only where the operator has to decide', async ({
    shown,
  }) => {
    const page = await shown.open('outbox, in every state');
    for (const name of ['breach-east.mp4', 'levee-12.jpg', 'too-large.tif', 'bridge.jpg'])
      await expect(rowOf(page, name).getByRole('button', { name: `More for ${name}` })).toHaveAttribute(
        'title',
        'More',
      );
    await expect(rowOf(page, 'levee-12.jpg').getByRole('button')).toHaveCount(2);
    for (const name of ['Retry too-large.tif', 'Discard too-large.tif'])
      await expect(outboxOf(page).getByRole('button', { name, exact: true })).toBeVisible();
    await expect(rowOf(page, 'too-large.tif').getByRole('button', { name: /^(Retry|Discard)/ })).toHaveCount(
      2,
    );
  });

  test('a file that is being sent shows how much of it has left', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    const id = '0000000000000001';
    const moving = {
      id,
      direction: 'sending' as const,
      done: 12_000_000,
      total: 48_000_000,
      bytesPerSecond: null,
      secondsLeft: null,
    };
    await shown.push({ outbox: { moving: [moving] } });
    const bar = rowOf(page, 'breach-east.mp4').getByRole('progressbar', {
      name: 'Progress of breach-east.mp4',
    });
    await expect(bar).toHaveAttribute('value', '12000000');
    await expect(bar).toHaveAttribute('max', '48000000');
    await expect(rowOf(page, 'breach-east.mp4')).toContainText('25% of 48.0 MB');
  });

  test('pauses one file, and all of them', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    await rowOf(page, 'levee-12.jpg').getByRole('button', { name: 'Pause levee-12.jpg' }).click();
    await outboxOf(page).getByRole('button', { name: 'Pause all' }).click();
    expect(await shown.calls('pauseUpload')).toEqual([
      { id: '0000000000000002', paused: true },
      { id: null, paused: true },
    ]);
  });

  test('shows the recorded file as sent, with its CID and verdict', async ({ shown }) => {
    const page = await shown.open('outbox');
    const row = rowOf(page, 'levee.jpg');
    await expect(row.getByText('Sent', { exact: true })).toBeVisible();
    await expect(row).toContainText('matches');
    const copies = await catchCopies(page);
    await row.getByRole('button', { name: 'Copy the CID of levee.jpg', exact: true }).click();
    await expect.poll(copies).toEqual([recorded.uploads.items[0]!.cid]);
    await row.getByText('levee.jpg').click();
    await expect(row).toContainText('SHA-256');
  });

  test('no row moves when a token is asked for, or an incident offered, or files come', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    await page.setViewportSize({ width: 1920, height: 1080 });
    const rail = page.getByRole('navigation', { name: 'Panels' });
    await rail.getByRole('button', { name: /^Incidents/ }).click();
    await page.getByRole('option').first().click();
    await rail.getByRole('button', { name: /^Outbox/ }).click();
    await shown.push({ outbox: { uploadToken: 'present', incidentField: false } });
    const row = rowOf(page, 'breach-east.mp4');
    const offer = outboxOf(page).locator('.attach__offer');
    await expect(offer).toHaveCount(0);
    const before = await row.boundingBox();
    await shown.push({ outbox: { incidentField: true } });
    await expect(offer).toBeVisible();
    expect.soft(await row.boundingBox(), 'an incident is offered').toEqual(before);
    await shown.hold('beginUpload');
    await outboxOf(page)
      .getByLabel('Files to send')
      .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a') });
    const stop = outboxOf(page).locator('.coming__line').getByRole('button');
    await expect(stop).toBeVisible();
    expect.soft(await row.boundingBox(), 'files come').toEqual(before);
    await shown.push({ outbox: { uploadToken: 'missing' } });
    await expect(outboxOf(page).getByLabel('Upload token')).toBeVisible();
    expect.soft(await row.boundingBox(), 'a token is asked for').toEqual(before);
    // Nothing of it covers what is beside it.
    await offer.click({ trial: true });
    await stop.click({ trial: true });
  });

  test('the last rows stay where they are when what stands below them goes', async ({ shown }) => {
    const page = await shown.open('outbox, in every state');
    await page.setViewportSize({ width: 1024, height: 716 });
    await shown.push({ outbox: { uploadToken: 'missing' } });
    await expect(outboxOf(page).getByLabel('Upload token')).toBeVisible();
    const list = outboxOf(page).getByRole('grid');
    await list.focus();
    await page.keyboard.press('End');
    await list.evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight;
    });
    const last = list.getByRole('row').last();
    await expect(last).toBeInViewport({ ratio: 0.99 });
    const scrolled = await list.evaluate((grid) => grid.scrollTop);
    expect(scrolled).toBeGreaterThan(0);
    const height = (await list.boundingBox())?.height ?? 0;
    const before = await last.boundingBox();
    // As a part of the page that measures itself does: the browser scrolls the list back before it says that it grew.
    await list.evaluate((grid) => {
      new MutationObserver(() => grid.scrollTop).observe(document, { subtree: true, childList: true });
    });
    await shown.push({ outbox: { uploadToken: 'present' } });
    await expect.poll(async () => (await list.boundingBox())?.height ?? 0).toBeGreaterThan(height);
    await expect.poll(() => list.evaluate((grid) => grid.scrollTop)).toBe(scrolled);
    expect(await last.boundingBox()).toEqual(before);
    // Scrolled back, the list ends with its last row again: all of it has room now.
    await list.evaluate((grid) => {
      grid.scrollTop = 0;
    });
    await expect.poll(() => list.evaluate((grid) => grid.scrollHeight - grid.clientHeight)).toBe(0);
  });
});

test.describe('a list that is higher than a browser draws', () => {
  test('is seen to its last row, scrolls row by row, and goes where its bar is drawn', async ({ shown }) => {
    const page = await shown.open('outbox, higher than a browser draws');
    const list = outboxOf(page).getByRole('grid');
    const rowOf = (number: number) => list.locator(`[aria-rowindex="${String(number)}"]`);
    const inView = async (): Promise<number> => {
      const top = (await list.boundingBox())?.y ?? 0;
      return list
        .getByRole('row')
        .evaluateAll(
          (rows, y) =>
            Number(
              rows.find((row) => row.getBoundingClientRect().bottom > y + 1)?.getAttribute('aria-rowindex'),
            ),
          top,
        );
    };
    await expect(rowOf(1)).toBeInViewport({ ratio: 0.99 });
    await list.focus();
    await page.keyboard.press('End');
    await expect(rowOf(700_000)).toBeInViewport({ ratio: 0.99 });
    await expect(rowOf(700_000)).toContainText('700000.jpg');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('PageUp');
    await expect.poll(inView).toBeLessThan(699_990);

    await list.evaluate((grid) => {
      grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2;
    });
    await expect.poll(async () => Math.abs((await inView()) - 350_000)).toBeLessThan(1_000);
    const middle = await inView();
    await expect(rowOf(middle)).toContainText(`${String(middle)}.jpg`);
    const before = (await rowOf(middle + 2).boundingBox())?.y ?? 0;
    await list.evaluate((grid) => {
      grid.scrollTop += 40;
    });
    await expect
      .poll(async () => Math.round(before - ((await rowOf(middle + 2).boundingBox())?.y ?? 0)))
      .toBe(40);

    await list.evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight;
    });
    await expect(rowOf(700_000)).toBeInViewport({ ratio: 0.99 });
    await page.keyboard.press('Home');
    await expect(rowOf(1)).toBeInViewport({ ratio: 0.99 });
    expect(await list.evaluate((grid) => grid.scrollTop)).toBe(0);
  });
});
