import { DetailLayers } from './details/detailLayers.ts';
import { tilesBase } from './glMap.ts';
import type { DrawnMap } from './graphics.ts';
import { lowestGridLayer } from './gridOverlay.ts';
import { PackageLayers } from './packages/packageLayers.ts';
import { lowestNameLayer } from './style.ts';
import type { IncidentMapOptions } from './types.ts';

/** What shows more of the ground than the basemap: installed packages, and details that come with the console. */
export function groundLayers({ map, isDrawable }: DrawnMap, options: IncidentMapOptions) {
  const { container, theme, textScale, words } = options;
  const packages = new PackageLayers({
    map,
    isDrawable,
    tilesBase: tilesBase(),
    below: lowestGridLayer,
    theme,
    textScale,
    onDrawn: (ids) => {
      container.dataset['mapPackages'] = ids.join(' ');
    },
  });
  const details = new DetailLayers({
    map,
    isDrawable,
    below: lowestNameLayer,
    theme,
    textScale,
    language: words.language,
    base: document.baseURI,
    readTowns: options.readTowns,
    onDrawn: () => {
      container.dataset['mapDetails'] = 'drawn';
    },
  });
  return { packages, details };
}
