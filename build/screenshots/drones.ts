import { button, panel, setStation, signIn } from './desk.ts';
import type { Stage, Topic } from './stage.ts';

/** The list, and one that a mission names, which the map follows. */
async function followed(stage: Stage) {
  await signIn(stage);
  const { page } = stage;
  const missions = await panel(page, 'Missions');
  await missions.getByRole('option').first().click();
  await button(missions, 'Show drone').click();
  const card = page.getByRole('article', { name: 'Chosen drone' });
  const place = await card.getByText(/° [NS], /).innerText();
  const [, latitude, northOrSouth, longitude, eastOrWest] =
    /([\d.]+)° ([NS]), ([\d.]+)° ([EW])/.exec(place) ?? [];
  const beside = (degrees?: string) => (Number(degrees) - 0.015).toFixed(3);
  await setStation(stage, `${beside(latitude)} ${northOrSouth}, ${beside(longitude)} ${eastOrWest}`);
  await panel(page, 'Drones');
  await button(card, 'Follow').click();
  // A trail grows by a point each five seconds.
  await page.waitForTimeout(100_000);
}

export const drones: Topic = {
  name: 'drones',
  pictures: {
    'drones-night-1440': followed,
  },
};
