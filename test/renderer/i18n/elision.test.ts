import { expect, it } from 'vitest';
import { withNamesJoined } from '../../../src-renderer/i18n/index.ts';

it.each([
  ['12 km au NO de Orléans, FR', '12 km au NO d’Orléans, FR'],
  ['3 km à l’E de Évreux, FR', '3 km à l’E d’Évreux, FR'],
  ['3 km à l’E de Le Havre, FR', '3 km à l’E du Havre, FR'],
  ['3 km au S de Les Abymes, GP', '3 km au S des Abymes, GP'],
  ['3 km au S de Ypres, BE', '3 km au S d’Ypres, BE'],
  ['3 km au S de Yaoundé, CM', '3 km au S de Yaoundé, CM'],
  ['3 km au S de La Rochelle, FR', '3 km au S de La Rochelle, FR'],
  ['3 km au S de Vienne, AT', '3 km au S de Vienne, AT'],
  ['3 km au S de Leeds, GB', '3 km au S de Leeds, GB'],
])('%s is %s in French', (sentence, joined) => {
  expect(withNamesJoined(sentence, 'fr')).toBe(joined);
  expect(withNamesJoined(sentence, 'es')).toBe(sentence);
});
