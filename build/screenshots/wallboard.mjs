import { button } from './desk.mjs';

async function wall({ page }) {
  await button(page, 'Fill in').click();
  await button(page, 'Sign in').click();
  await page
    .getByRole('main', { name: 'Wallboard' })
    .getByText(/incidents/)
    .first()
    .waitFor();
}

export const wallboard = {
  name: 'wallboard',
  args: ['--wallboard'],
  pictures: { 'wallboard-night-1920': wall },
};
