import type { Rectangle } from 'electron';
import { EventEmitter } from 'node:events';
import type { PlacedDesktop } from '../../../../src-main/hosts/desktop/settings/windowPlaces.ts';
import { unfriendly, type ElectronFacts } from './facts.ts';

/** A window as far as its place goes. */
export class FakePlacedWindow extends EventEmitter implements PlacedWindow {
  bounds: Rectangle = { x: 100, y: 50, width: 1440, height: 900 };
  destroyed = false;
  fullScreen = false;
  maximised = false;
  minimised = false;
  readonly done: string[] = [];
  readonly #tellsPlace: boolean;
  /** `wayland`: the system is Wayland, whose windows say 0,0 wherever they stand (fact 7). */
  constructor(wayland = false, facts: ElectronFacts = unfriendly) {
    super();
    this.#tellsPlace = !wayland || facts.waylandKnowsPlaces;
  }
  getNormalBounds = (): Rectangle => (this.#tellsPlace ? this.bounds : { ...this.bounds, x: 0, y: 0 });
  isDestroyed = (): boolean => this.destroyed;
  isFullScreen = (): boolean => this.fullScreen;
  isMaximized = (): boolean => this.maximised;
  isMinimized = (): boolean => this.minimised;
  close = (): void => void this.done.push('close');
  restore = (): void => void this.done.push('restore');
  show = (): void => void this.done.push('show');
  focus = (): void => void this.done.push('focus');

  /** As an operator moves it. */
  move(bounds: Rectangle): void {
    this.bounds = bounds;
    this.emit('move');
    this.emit('resize');
  }
}

type PlacedWindow = PlacedDesktop['window'];
