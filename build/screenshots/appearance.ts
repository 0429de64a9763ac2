import { panel, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/**
 * A time zone in which it is evening now, so that the schedule in the picture has its night: from 18:00
 * to 7:00, whenever the pictures are made.
 */
function eveningZone() {
  const hour = new Date().getUTCHours();
  return hour >= 18 || hour < 6 ? 'UTC' : 'Pacific/Auckland';
}

async function settings({ page, prefer }: Stage) {
  await prefer({
    theme: 'schedule',
    schedule: { day: 'sunlight', night: 'night', dayFrom: 7 * 60, nightFrom: 18 * 60 },
  });
  await panel(page, 'Settings');
  await page.getByLabel('Day begins at').waitFor();
}

async function largest({ page, prefer }: Stage) {
  await prefer({ textSize: 'largest', touch: 'on' });
  await panel(page, 'Incidents');
}

/** What a window of 1440 by 900 shows when it is magnified twice. */
async function magnified({ prefer }: Stage) {
  await prefer({ textSize: 'normal', touch: 'auto' });
}

export const appearance: Topic = {
  name: 'appearance',
  timezone: eveningZone(),
  opens: signIn,
  pictures: {
    'settings-night-1440': settings,
    'largest-day-1024': largest,
    'magnified-day-720': magnified,
  },
};
