import { expect, test } from './fixtures.ts';
import { recorded, recordedNow, unreachable } from './states.ts';

const field = (name: string) => ({ name, exact: true });

test.describe('sign-in', () => {
  test('names the deployment, its host and what was seen of the service', async ({ shown }) => {
    const page = await shown.open('sign in');
    await expect(page.getByRole('heading', { name: 'Harbour station' })).toBeVisible();
    await expect(page.getByText('infrastructure.example.org')).toBeVisible();
    await expect(page.getByText('Service reachable')).toBeVisible();
    await expect(page.getByText('TRAINING')).toHaveCount(0);
  });

  test('sends user name and password once, and empties the password field', async ({ shown }) => {
    const page = await shown.open('sign in');
    await expect(page.getByRole('textbox', field('Username'))).toBeFocused();
    await page.getByRole('textbox', field('Username')).fill('operator');
    await page.getByRole('textbox', field('Password')).fill('correct horse');
    await page.getByRole('textbox', field('Password')).press('Enter');
    await expect(page.getByRole('textbox', field('Password'))).toHaveValue('');
    expect(await shown.calls('signIn')).toEqual([{ username: 'operator', password: 'correct horse' }]);
  });

  test('says that it signs in, and sends the upload token once beside the password', async ({ shown }) => {
    const page = await shown.open('sign in');
    await shown.push({ outbox: { uploadToken: 'missing' } });
    await shown.hold('signIn');
    await page.getByRole('textbox', field('Username')).fill('operator');
    await page.getByLabel('Upload token', { exact: true }).fill('token-7');
    const password = page.getByRole('textbox', field('Password'));
    await password.fill('correct horse');
    await password.press('Enter');
    await expect(page.getByRole('button', field('Signing in'))).toHaveAttribute('aria-disabled', 'true');
    await password.fill('correct horse');
    await password.press('Enter');
    expect(await shown.calls('signIn')).toEqual([
      { username: 'operator', password: 'correct horse', uploadToken: 'token-7' },
    ]);
  });

  test.describe('a proxy that asks', () => {
    const proxy = 'http://proxy.example.org:3128';

    test('gets name and password once, and the form stays where they are refused', async ({ shown }) => {
      const page = await shown.open('sign in, a proxy asks, form');
      const dialog = page.getByRole('dialog', { name: 'Sign in to the proxy' });
      await expect(dialog).toContainText(`The proxy ${proxy} asks for a name and a password.`);
      await dialog.getByRole('textbox', field('Username')).fill('ann');
      const password = dialog.getByRole('textbox', field('Password'));
      await password.fill('correct horse');
      await password.press('Enter');
      await expect(dialog.getByRole('alert')).toContainText('did not accept this name and password');
      await expect(password).toHaveValue('');
      await expect(password).toBeFocused();
      expect(await shown.calls('signInToProxy')).toEqual([
        { proxy, username: 'ann', password: 'correct horse' },
      ]);
    });

    test('that accepts them is not asked for any more', async ({ shown }) => {
      const page = await shown.open('sign in, a proxy asks');
      const button = page.getByRole('button', field('Sign in to the proxy'));
      await button.click();
      const dialog = page.getByRole('dialog', { name: 'Sign in to the proxy' });
      await dialog.getByRole('textbox', field('Username')).fill('ann');
      await dialog.getByRole('textbox', field('Password')).fill('correct horse');
      await dialog.getByRole('button', field('Sign in')).click();
      await expect(dialog).toBeHidden();
      await shown.push({ proxy: null });
      await expect(button).toHaveCount(0);
    });
  });

  test('whose data is kept here is put in by a press, and the password is waited for', async ({ shown }) => {
    const page = await shown.open('sign in, kept vaults');
    await page
      .getByRole('button', { name: /m\.okafor/ })
      .first()
      .click();
    await expect(page.getByRole('textbox', field('Username'))).toHaveValue('m.okafor');
    await expect(page.getByRole('textbox', field('Password'))).toBeFocused();
  });

  test('asks for what is missing and sends nothing', async ({ shown }) => {
    const page = await shown.open('sign in');
    await page.getByRole('button', field('Sign in')).click();
    await expect(page.getByRole('textbox', field('Username'))).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('alert')).toHaveText('Enter the username.');
    await page.getByRole('textbox', field('Username')).fill('operator');
    await page.getByRole('button', field('Sign in')).click();
    await expect(page.getByRole('textbox', field('Password'))).toBeFocused();
    await expect(page.getByRole('textbox', field('Password'))).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('alert')).toHaveText('Enter the password.');
    expect(await shown.calls('signIn')).toEqual([]);
  });

  test('shows a refusal with its code and request id, and takes the next try', async ({ shown }) => {
    const page = await shown.open('wrong password');
    await page.getByRole('textbox', field('Username')).fill('operator');
    await page.getByRole('textbox', field('Password')).fill('wrong');
    await page.getByRole('button', field('Sign in')).click();
    const alert = page.getByRole('alert').filter({ hasText: 'bad-credentials' });
    await expect(alert).toContainText('HTTP 401');
    await expect(alert).toContainText('trn-401');
    await expect(page.getByRole('textbox', field('Password'))).toBeFocused();
  });

  test('that the service was not reached is said once, also when a sign-in failed for it', async ({
    shown,
  }) => {
    const page = await shown.open('sign in, kept vaults, offline');
    await shown.push({
      session: {
        session: { state: 'waiting', reason: unreachable, until: recordedNow + 60_000, expiresAt: null },
      },
    });
    await expect(page.getByRole('alert')).toContainText('Can’t reach the service.');
    await expect(page.getByText(/Your password opens the data/)).toBeVisible();
    await expect(page.getByText('Can’t reach the service.')).toHaveCount(1);
  });

  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [800, 700],
  ] as const)
    test(`what comes by itself moves nothing of the form, at ${String(width)}`, async ({ shown }) => {
      const page = await shown.open('sign in, kept vaults');
      await page.setViewportSize({ width, height });
      const username = page.getByRole('textbox', field('Username'));
      const standing = () =>
        page
          .locator('.card input, .card button, .card h1')
          .evaluateAll((all) =>
            all
              .filter((one) => one.closest('.card__told') === null)
              .map((one) => JSON.stringify(one.getBoundingClientRect())),
          );
      await expect(username).toBeVisible();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const before = await standing();
      const told = page.locator('.card__told');
      const connection = recorded.signedOut.slices.connection!;
      const storage = recorded.signedOut.slices.storage!;
      await shown.push({
        connection: {
          infrastructure: { state: 'offline', since: recordedNow, failure: unreachable },
        },
      });
      const offline = told.getByText(/^Can’t reach the service/);
      await expect(offline).toBeInViewport();
      expect(await standing()).toEqual(before);
      await shown.push({
        storage: { notice: { at: recordedNow, sentence: { text: 'What was stored was set aside.' } } },
        system: { ...recorded.signedOut.slices.system!, keyStore: 'waiting' },
      });
      await expect(told.getByText('What was stored was set aside.')).toBeVisible();
      expect(await standing()).toEqual(before);
      // Nothing of it lies over what is typed into.
      const covered = await page.locator('.card input').evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility() && !one.matches('.sr-only'))
          .filter((one) => {
            const { x, y, width: wide, height: high } = one.getBoundingClientRect();
            const over = document.elementFromPoint(x + wide / 2, y + high / 2);
            return over?.closest('.card__told') instanceof Element;
          })
          .map((one) => one.id),
      );
      if (width > 960) expect(covered).toEqual([]);
      await shown.push({ connection, storage: { notice: storage.notice } });
      await expect(offline).toHaveCount(0);
      expect(await standing()).toEqual(before);
    });

  test('where a deployment comes from stands in one line beside a long name', async ({ shown }) => {
    const page = await shown.open('deployments');
    const origins = page.locator('.deployments__choice > .option__count');
    for (const origin of await origins.all())
      expect(await origin.evaluate((one) => one.clientHeight)).toBeLessThan(26);
  });

  test('a sign-out is said in plain words', async ({ shown }) => {
    const page = await shown.open('sign in, signed-out');
    await expect(page.getByText('Your session was deleted from this computer.')).toBeVisible();
  });

  test('training shows its band and fills in its own credentials', async ({ shown }) => {
    const page = await shown.open('sign in, training');
    await expect(page.getByText('TRAINING, NOT REAL INCIDENTS').first()).toBeVisible();
    await expect(page).toHaveTitle(/^TRAINING/);
    await page.getByRole('button', { name: 'Fill in' }).click();
    await expect(page.getByRole('textbox', field('Username'))).toHaveValue(/^trainee-/);
    await expect(page.getByRole('textbox', field('Password'))).toHaveValue('made-up-password');
  });
});

test('what erasing costs is said in the language of the page, also when it came after the question', async ({
  shown,
}) => {
  const page = await shown.open('kept vault, erase');
  const sentences = page.getByRole('dialog').getByRole('listitem');
  await expect(sentences.first()).toContainText('from the service only');
  await shown.push({ preferences: { language: 'zh-Hans' } });
  await expect(sentences).toHaveText([/13:00 UTC.*。$/, /^2 .*。$/]);
});

test.describe('lock page', () => {
  test('shows the station and nothing of its work, and sends the password once', async ({ shown }) => {
    const page = await shown.open('locked');
    await expect(page.getByText('Harbour station')).toBeVisible();
    await expect(page.getByRole('option')).toHaveCount(0);
    await expect(page.getByText('Earthquake')).toHaveCount(0);
    await page.getByRole('textbox', field('Password')).fill('correct horse');
    await page.getByRole('button', field('Unlock')).click();
    await expect(page.getByRole('textbox', field('Password'))).toHaveValue('');
    expect(await shown.calls('unlock')).toEqual([{ password: 'correct horse' }]);
  });

  test('nothing that comes or goes moves its buttons', async ({ shown }) => {
    const page = await shown.open('locked');
    const unlock = page.getByRole('button', field('Unlock'));
    const before = await unlock.boundingBox();
    await shown.push({ siren: { unacknowledged: 2, worstSeverity: 'critical' } });
    await expect(page.getByRole('alert').filter({ hasText: '2' })).toBeVisible();
    expect(await unlock.boundingBox()).toEqual(before);
  });

  test('a press counts for what it began on, though the page moves under it', async ({ shown }) => {
    const page = await shown.open('locked');
    await page.getByRole('textbox', field('Password')).fill('correct horse');
    await page.getByRole('button', field('Unlock')).hover();
    await page.mouse.down();
    await page.locator('main').evaluate((main) => {
      main.style.paddingTop = '0';
    });
    await page.mouse.up();
    expect(await shown.calls('unlock')).toEqual([{ password: 'correct horse' }]);
  });

  test('a press that is carried away from its button is none', async ({ shown }) => {
    const page = await shown.open('locked');
    await page.getByRole('textbox', field('Password')).fill('correct horse');
    await page.getByRole('button', field('Unlock')).hover();
    await page.mouse.down();
    await page.mouse.move(10, 10);
    await page.mouse.up();
    expect(await shown.calls('unlock')).toEqual([]);
  });

  test('checks no password while guesses are throttled, and says for how long', async ({ shown }) => {
    const page = await shown.open('locked, throttled');
    await expect(page.getByRole('alert').filter({ hasText: 'Too many' })).toBeVisible();
    await expect(page.getByText(/Try again in \d{1,2}\ss\.$/)).toBeVisible();
    await page.getByRole('textbox', field('Password')).fill('again');
    await page.getByRole('textbox', field('Password')).press('Enter');
    expect(await shown.calls('unlock')).toEqual([]);
  });

  test('signs out without the password', async ({ shown }) => {
    const page = await shown.open('locked');
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await shown.calls('signOut')).toHaveLength(1);
    expect(await shown.calls('unlock')).toEqual([]);
  });
});
