import { EventEmitter } from 'node:events';
import type { Rectangle } from 'electron';
import type { PlacedDesktop } from '../../../../src-main/hosts/desktop/settings/windowPlaces.ts';

/** A window as far as its place goes. */
export class FakePlacedWindow extends EventEmitter implements PlacedWindow {
  bounds: Rectangle = { x: 100, y: 50, width: 1440, height: 900 };
  destroyed = false;
  fullScreen = false;
  maximised = false;
  minimised = false;
  readonly done: string[] = [];
  getNormalBounds = (): Rectangle => this.bounds;
  isDestroyed = (): boolean => this.destroyed;
  isFullScreen = (): boolean => this.fullScreen;
  isMaximized = (): boolean => this.maximised;
  isMinimized = (): boolean => this.minimised;
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
