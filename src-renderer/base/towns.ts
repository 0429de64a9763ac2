import type { TownName } from '../../src-preload/contract/index.ts';
import { t } from '../i18n/index.ts';

/** `Nysa, PL` */
export const townText = ({ name: town, country }: Pick<TownName, 'name' | 'country'>): string =>
  country === '' ? town : t('incidents.groups.town', { town, country });
