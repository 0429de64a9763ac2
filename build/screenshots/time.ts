import { boxOf, button, region, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

async function brush({ page }: Stage) {
  await button(page, 'Show the timeline').click();
  const bars = region(page, 'Incidents over time').getByRole('group', { name: 'Shown time range' });
  const box = await boxOf(bars);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.52, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.78, y, { steps: 8 });
  await page.mouse.up();
}

async function replay({ page }: Stage) {
  const timeline = region(page, 'Incidents over time');
  await button(timeline, 'Show all times').click();
  await button(timeline, 'Replay this period').click();
  const controls = timeline.getByRole('group', { name: 'Replay' });
  await button(controls, 'Pause the replay').click();
  const hand = timeline.getByRole('slider', { name: 'Replayed so far' });
  await hand.press('Home');
  for (let step = 0; step < 60; step += 1) await hand.press('ArrowRight');
  await controls.getByLabel('Shows').selectOption('The last 1 d');
}

export const time: Topic = {
  name: 'time',
  timezone: 'America/Santiago',
  opens: signIn,
  pictures: { 'timeline-night-1280': brush, 'replay-day-1280': replay },
};
