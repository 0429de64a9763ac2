import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { expect, test } from './support/fixtures.ts';
import { filesBelow, formsOf } from './support/secretPlaces.ts';

// What must always hold holds the first time.
test.describe.configure({ retries: 0 });

test(
  'neither token nor password is anywhere they must not be',
  { tag: ['@smoke', '@journey', '@stand-in'] },
  async ({ opened, service, folder }) => {
    const { page, operator } = opened;
    const sent: string[] = [];
    const received: string[] = [];
    const urls: string[] = [];
    page.on('websocket', (socket) => {
      urls.push(socket.url());
      socket.on('framesent', ({ payload }) => sent.push(Buffer.from(payload).toString('latin1')));
      socket.on('framereceived', ({ payload }) => received.push(Buffer.from(payload).toString('latin1')));
    });
    page.on('request', (request) => urls.push(request.url(), request.postData() ?? ''));
    await expect(page.getByRole('textbox', { name: 'Username' })).toBeVisible();
    // Again from the start, so that the socket above is seen from its first frame.
    await page.reload();

    const { password } = service.credentials;
    await operator.signIn(service.credentials);
    await operator.expectIncidents(1712);
    await operator.incidents.getByRole('option').first().click();
    await expect(operator.details).toBeVisible();
    const tokens = service.issuedTokens();
    expect(tokens).toHaveLength(1);
    expect(sent.length + received.length, 'the bridge’s traffic was seen').toBeGreaterThan(3);

    const page_ = {
      html: await page.content(),
      ...(await page.evaluate(() => ({
        local: JSON.stringify({ ...localStorage }),
        session: JSON.stringify({ ...sessionStorage }),
        cookie: document.cookie,
        history: JSON.stringify(history.state) + location.href,
        fields: [...document.querySelectorAll('input')].map((input) => input.value).join('\n'),
      }))),
    };
    const files = await filesBelow(folder);
    expect(files.size).toBeGreaterThan(2);
    const { stdout, stderr } = opened.output();
    const places = new Map<string, string>([
      ...Object.entries(page_),
      ...files,
      ['received over the bridge', received.join('\n')],
      ['URLs and bodies', urls.join('\n')],
      ['standard output', stdout],
      ['standard error', stderr],
    ]);
    if (process.platform === 'linux') {
      for (const file of ['cmdline', 'environ']) {
        places.set(`process ${file}`, await readFile(`/proc/${opened.pid}/${file}`, 'latin1'));
      }
    }
    for (const [place, text] of places) {
      for (const secret of [password, ...tokens]) {
        for (const form of formsOf(secret)) expect(text.includes(form), `a secret in ${place}`).toBe(false);
      }
    }
    const carried = sent.join('\n');
    for (const token of tokens) expect(carried.includes(token), 'the token on the bridge').toBe(false);
    expect(carried.split(password)).toHaveLength(2);
  },
);
