import { computed, type ComputedRef, type Ref } from 'vue';
import { readIncidentLink, type Position } from '../../../src-preload/contract/index.ts';
import { direction, t } from '../../i18n/index.ts';
import { countryName } from '../../base/countryNames.ts';
import { readCoordinates } from '../../base/coordinates/index.ts';
import type { Place } from '../../base/gazetteer/index.ts';
import { withMeasures } from '../../table/searchQuery.ts';
import { useActions } from './actions.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useGazetteer } from '../../base/stores/gazetteer.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useMapTools } from '../../features/map/mapToolsStore.ts';
import { useStation } from '../../base/stores/station.ts';
import { useUi } from '../../base/stores/ui.ts';

/** What no action is named after: a place to go to or to stand at, incidents by a text, one by its link. */
export interface FoundAction {
  readonly id: string;
  readonly name: string;
  /** Why it cannot be done now; null when it can. */
  readonly unavailable: string | null;
  /** What is asked before it is done. */
  readonly confirm?: { readonly question: string; readonly does: string };
  readonly run: () => void;
}

const mostPlaces = 4;
/** Close enough to see what lies at a coordinate. */
const coordinateZoom = 11;

/** What is written from left to right keeps its order in a sentence that is read from right to left. */
const inOrder = (text: string): string => (direction.value === 'rtl' ? `\u2066${text}\u2069` : text);
/** What was typed runs by its own first letter there. */
const asTyped = (text: string): string => (direction.value === 'rtl' ? `\u2068${text}\u2069` : text);

/** Opens the incident of a link that was copied elsewhere: a page in a browser has no other way in. */
function linkActions(): (incidentId: string) => FoundAction {
  const ui = useUi();
  const mirror = useMirror();
  return (incidentId) => {
    void mirror.tableRevision;
    const key = mirror.table.keyOfId(incidentId);
    return {
      id: 'found-link',
      name: t('commands.found.incident', { id: asTyped(incidentId) }),
      unavailable: key === null ? t('commands.why.notKnown') : null,
      run: () => {
        ui.select(key);
      },
    };
  };
}

/** What a typed text may mean beside an action's name. */
export function placesFor(typed: Ref<string>): ComputedRef<readonly FoundAction[]> {
  const ui = useUi();
  const linkAction = linkActions();
  const actions = useActions();
  const tools = useMapTools();
  const coordinates = useCoordinates();
  const station = useStation();
  const gazetteer = useGazetteer();
  void gazetteer.load();

  function searchFor(text: string): void {
    ui.search = text;
    actions.command('search');
  }
  const placeAction = (place: Place, zoom: number): FoundAction => {
    const { kind, name, country, longitude, latitude } = place;
    return {
      id: `place-${kind}-${latitude}-${longitude}`,
      name:
        kind === 'country'
          ? t('commands.found.country', { name })
          : t('commands.found.place', { name, country: countryName(country) }),
      unavailable: null,
      run: () => {
        tools.goTo({ name, longitude, latitude }, zoom);
      },
    };
  };

  const positionActions = (position: Position): readonly FoundAction[] => {
    const name = coordinates.full(position);
    const said = inOrder(name);
    const confirm =
      station.position === null
        ? {}
        : {
            confirm: { question: t('commands.found.stationQuestion'), does: t('commands.found.moveStation') },
          };
    const id = `${position.latitude}-${position.longitude}`;
    return [
      {
        id: `position-${id}`,
        name: t('commands.found.country', { name: said }),
        unavailable: null,
        run: () => {
          tools.goTo({ ...position, name }, Math.max(ui.camera?.zoom ?? 0, coordinateZoom));
        },
      },
      {
        id: `station-${id}`,
        name: t('commands.found.station', { name: said }),
        unavailable: null,
        ...confirm,
        run: () => void station.place(position),
      },
    ];
  };
  const textAction = (id: string, text: string): FoundAction => ({
    id,
    name: t('commands.found.text', { text: asTyped(text) }),
    unavailable: null,
    run: () => {
      searchFor(text);
    },
  });

  return computed(() => {
    const text = typed.value.trim();
    const linked = readIncidentLink(text);
    if (linked !== null) return [linkAction(linked)];
    const positions = readCoordinates(text).map(({ position }) => position);
    const measured = withMeasures(text);
    const places = text.length < 2 ? [] : (gazetteer.places?.search(text, mostPlaces) ?? []);
    const word = text.includes(' ') ? `"${text}"` : text;
    return [
      ...positions.flatMap(positionActions),
      ...(measured === text ? [] : [textAction('found-measured', measured)]),
      ...places.map((place) => placeAction(place, gazetteer.places?.zoomOf(place) ?? 5)),
      textAction('found-text', text),
      {
        id: 'found-id',
        name: t('commands.found.id', { text: asTyped(text) }),
        unavailable: null,
        run: () => {
          searchFor(`id:${word}`);
        },
      },
    ];
  });
}
