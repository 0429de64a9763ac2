import type { Camera, LengthUnits, MapPackage } from '../../src-preload/contract/index.ts';
import type { IncidentTable } from '../table/table.ts';
import type { Box } from './clearance.ts';
import type { AreaHands, DraftShape } from './areaOverlay.ts';
import type { NameCountry } from './countryLabels.ts';
import type { DroneSpot } from './droneGroups.ts';
import type { GridMakers } from './gridOverlay.ts';
import type { PlaceMarkName } from './placeMarks.ts';
import type { Corner, ViewArea } from './ring.ts';
import type { LengthText } from './scaleBar.ts';
import type { MapGlyphs, MapTheme } from './theme.ts';

export type MapState = 'loading' | 'ready' | 'context-lost' | 'no-webgl';

/** What the map says itself, in the page's language. */
export interface MapWords {
  /** A BCP 47 tag. */
  readonly language: string;
  /** What the map is called to those who hear the page, and how it is moved by keys. */
  readonly title: string;
  readonly nameCountry: NameCountry;
  /** `6 drones`. */
  readonly drones: (count: number) => string;
  /** What lies behind the mark of several incidents: how many are open, by rank from the least, and how many in all. */
  readonly cluster: (open: readonly number[], count: number) => string;
  /** The scale bar's length. */
  readonly length: LengthText;
}

export interface IncidentMapOptions {
  /** An empty element that has a size; its role and label are the page's business. */
  readonly container: HTMLElement;
  readonly theme: MapTheme;
  readonly glyphs: MapGlyphs;
  readonly reducedMotion: boolean;
  /**
   * How much larger everything is drawn than usual, for eyes that are far away; the page lays the
   * container out so many times smaller and enlarges it. Cameras stay what they are without it.
   */
  readonly scale?: number;
  /** The first look is at all incidents and not at the worst: no hand moves this map. */
  readonly fitsAll?: boolean;
  /** Server time in Unix ms: which arrivals are of the last minute. */
  readonly serverNow: () => number;
  /** The operator chose an incident on the map, or clicked where there is none. */
  readonly onSelect: (key: number | null) => void;
  /** A drone was chosen on the map. */
  readonly onDrone: (id: string) => void;
  /** The map no longer follows: an operator moved it, or it was sent elsewhere. */
  readonly onUnfollowed: () => void;
  readonly onState: (state: MapState) => void;
  readonly words: MapWords;
  /** What lies over the map, on the screen: "all incidents" leaves none of them under it. */
  readonly covers: () => readonly Box[];
  /** How many times larger than usual text is, beside `scale`. */
  readonly textScale: number;
  /** The map came to rest where an operator brought it; not where the page did. */
  readonly onCamera: (camera: Camera) => void;
  /** The map came to rest, moved by an operator or the page. */
  readonly onRest: (camera: Camera) => void;
  /** Headers of a request for a tile of a map package. */
  readonly tileHeaders: () => Readonly<Record<string, string>>;
  /** The gazetteer's towns, a line for each (build/towns.ts); rejects where they cannot be had. */
  readonly readTowns: () => Promise<readonly string[]>;
}

export interface IncidentMap {
  /** Shows these rows of the table; call it again when the table or the filter changed. */
  setRows(table: IncidentTable, rows: Uint32Array): void;
  /** From handing over rows to their being drawn, the last time, in milliseconds; 0 before the first. */
  drawTime(): number;
  /** Marks an incident, with or without bringing it into view; null for none. */
  select(key: number | null, options: { readonly fly: boolean }): void;
  /** Marks these incidents as pinned, those of them that are shown. */
  setPins(keys: ReadonlySet<number>): void;
  /** Shows these drones and no others. */
  setDrones(drones: readonly DroneSpot[]): void;
  /** Goes to a place and keeps to it as it moves, until an operator moves the map; null ends that. */
  follow(place: Corner | null): void;
  setTheme(theme: MapTheme): void;
  /** Shows these packages over the basemap and under the incidents, the lowest first. */
  setPackages(packages: readonly MapPackage[]): void;
  /** Brings an extent into view: west, south, east, north, in degrees. */
  showExtent(bounds: MapPackage['bounds']): void;
  setReducedMotion(reduced: boolean): void;
  /** Outlines the area that alarms are raised in; null for everywhere. */
  setArea(ring: readonly Corner[] | null): void;
  /** Shows the corners drawn so far and lets the pointer add to them; null when nothing is drawn. */
  setDraft(draft: readonly Corner[] | null, hands: AreaHands | null): void;
  /** Shows what is measured; without hands it stands still, null for none. */
  setMeasure(draft: readonly Corner[] | null, hands: AreaHands | null, shape: DraftShape): void;
  /** Draws these grids over the land, again whenever the map has moved. */
  setGrids(makers: GridMakers): void;
  /** Says everything in another language; countries once the fonts of their names are there. */
  setWords(words: MapWords): void;
  setTextScale(scale: number): void;
  /** The scale bar's units. */
  setUnits(units: LengthUnits): void;
  /** Marks a place that is no incident, under a name for those who hear the page; null for none. */
  setPlaceMark(mark: PlaceMarkName, place: Corner | null, name: string): void;
  /** What the map shows now; longitudes may lie beyond 180 degrees. Null while there is no map. */
  view(): ViewArea | null;
  /** Where the map looks. */
  centre(): Corner | null;
  /**
   * Goes where a camera looked; null for all incidents with a flight. Without one it is the worst of the open ones as
   * soon as there are some, and the world before, also for those that a read still brings, until a hand moves the map or selects (firstLook.ts).
   */
  look(camera: Camera | null, options: { readonly fly: boolean }): void;
  /** Brings all of these places into view. */
  showPlaces(places: readonly Corner[]): void;
  /** Where the map looks, as it can be kept; null while there is no map. */
  camera(): Camera | null;
  /**
   * What the map shows now as a PNG, for paper: in `theme`, with its attribution and a scale in the units that
   * were set. Null while there is no map, or when it draws no more.
   */
  picture(theme: MapTheme): Promise<Blob | null>;
  zoomIn(): void;
  zoomOut(): void;
  destroy(): void;
}
