import type { SavedView } from '../../../src-preload/contract/index.ts';
import { t } from '../../i18n/index.ts';
import { narrowing } from '../../base/query.ts';

/** What a view holds, as clauses of a list. */
export function holdsOf(view: SavedView): readonly string[] {
  const { search, columns, groupBy, overlays, camera, packages } = view;
  return [
    ...narrowing(view),
    ...(search === '' ? [] : [t('views.holds.search', { text: search })]),
    t(camera === null ? 'views.holds.all' : 'views.holds.camera'),
    ...(columns === null ? [] : [t('views.holds.columns', {}, columns.length)]),
    ...(groupBy === 'none' ? [] : [t(`views.holds.${groupBy}`)]),
    ...(overlays.graticule ? [t('views.holds.graticule')] : []),
    ...(overlays.mgrsGrid ? [t('views.holds.mgrsGrid')] : []),
    ...(packages === null ? [] : [t('views.holds.packages', {}, packages.length)]),
  ];
}
