import type { Camera } from '../../src-preload/contract/index.ts';
import type { Box } from './clearance.ts';
import type { NameCountry } from './countryLabels.ts';
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
  /** Headers of a request for a tile of a map package. */
  readonly tileHeaders: () => Readonly<Record<string, string>>;
  /** The gazetteer's towns, a line for each (build/towns.ts); rejects where they cannot be had. */
  readonly readTowns: () => Promise<readonly string[]>;
}
