import { EventEmitter } from 'node:events';
import type { ZoomedDesktop } from '../../../../src-main/hosts/desktop/settings/zoom.ts';

/** A page's contents as far as its size goes. */
export class FakeZoomedContents extends EventEmitter implements ZoomedContents {
  readonly factors: number[] = [];
  destroyed = false;
  isDestroyed = (): boolean => this.destroyed;
  setZoomFactor = (factor: number): void => void this.factors.push(factor);
  /** As a wheel turned with Ctrl held. */
  wheel(direction: 'in' | 'out'): void {
    this.emit('zoom-changed', {}, direction);
  }
}

type ZoomedContents = ZoomedDesktop['window']['webContents'];
