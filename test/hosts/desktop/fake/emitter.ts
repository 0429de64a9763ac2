import { EventEmitter } from 'node:events';

/** An event as Electron gives it to listeners that may prevent it. */
export interface FakeEvent {
  readonly preventDefault: () => void;
  readonly defaultPrevented: boolean;
}

/** An event with `fields`, as Electron gives it to listeners that may prevent it. */
export function event<T extends object>(fields: T): T & FakeEvent;
export function event(): FakeEvent;
export function event(fields: object = {}): FakeEvent {
  let prevented = false;
  const made = {
    preventDefault: () => {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
  return Object.defineProperties(made, Object.getOwnPropertyDescriptors(fields));
}

/** A part of Electron that emits events. */
export class Emitter extends EventEmitter {
  /** Emits an event that may be prevented; answers whether it was. */
  happens(name: string, fields: object = {}, ...args: unknown[]): boolean {
    const happening = event(fields);
    this.emit(name, happening, ...args);
    return happening.defaultPrevented;
  }
}
