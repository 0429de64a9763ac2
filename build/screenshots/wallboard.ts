import { button } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

async function wall({ page }: Stage) {
  await button(page, 'Fill in').click();
  await button(page, 'Sign in').click();
  await page
    .getByRole('main', { name: 'Wallboard' })
    .getByText(/incidents/)
    .first()
    .waitFor();
}

export const wallboard: Topic = {
  name: 'wallboard',
  args: ['--wallboard'],
  pictures: { 'wallboard-night-1920': wall },
};
