import { computed, shallowRef, type ComputedRef, type Ref } from 'vue';
import { t, language } from '../../i18n/index.ts';
import { loadGazetteer, type Gazetteer, type Place } from '../../lib/gazetteer/index.ts';
import { useActions } from '../../stores/actions.ts';
import { useMapTools } from '../../stores/mapTools.ts';
import { useUi } from '../../stores/ui.ts';

/** Something to go to that no action is named after: a place, or incidents by a text. */
export interface FoundAction {
  readonly id: string;
  readonly name: string;
  readonly unavailable: null;
  readonly run: () => void;
}

const mostPlaces = 4;

/** What a typed text may mean beside an action's name. */
export function placesFor(typed: Ref<string>): ComputedRef<readonly FoundAction[]> {
  const ui = useUi();
  const actions = useActions();
  const tools = useMapTools();
  const gazetteer = shallowRef<Gazetteer | null>(null);
  loadGazetteer()
    .then((loaded) => {
      gazetteer.value = loaded;
    })
    // Without it places are not offered; all else is.
    .catch(() => undefined);

  function searchFor(text: string): void {
    ui.search = text;
    actions.command('search');
  }
  const placeAction = (place: Place, zoom: number): FoundAction => {
    const { kind, name, country, longitude, latitude } = place;
    const countryName = new Intl.DisplayNames([language.value], { type: 'region' }).of(country) ?? country;
    return {
      id: `place-${kind}-${latitude}-${longitude}`,
      name:
        kind === 'country'
          ? t('commands.found.country', { name })
          : t('commands.found.place', { name, country: countryName }),
      unavailable: null,
      run: () => {
        tools.goTo({ name, longitude, latitude }, zoom);
      },
    };
  };

  return computed(() => {
    const text = typed.value.trim();
    const places = text.length < 2 ? [] : (gazetteer.value?.search(text, mostPlaces) ?? []);
    const word = text.includes(' ') ? `"${text}"` : text;
    return [
      ...places.map((place) => placeAction(place, gazetteer.value?.zoomOf(place) ?? 5)),
      {
        id: 'found-text',
        name: t('commands.found.text', { text }),
        unavailable: null,
        run: () => {
          searchFor(text);
        },
      },
      {
        id: 'found-id',
        name: t('commands.found.id', { text }),
        unavailable: null,
        run: () => {
          searchFor(`id:${word}`);
        },
      },
    ];
  });
}
