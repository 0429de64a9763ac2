import type * as Electron from 'electron';
import { EventEmitter } from 'node:events';
import type { TrayDesktop } from '../../../../src-main/hosts/desktop/settings/tray.ts';

/** An image as it was made: its representations by scale factor, and whether it is a template. */
export interface MadeImage {
  readonly pngs: Map<number, Buffer>;
  template: boolean;
}

/** A tray that keeps what it shows. */
export interface ShownTray {
  image: MadeImage;
  tooltip: string;
  menu: Electron.MenuItemConstructorOptions[];
  destroyed: boolean;
  click(): void;
}

/** The system's tray: what is shown in it. */
export class FakeTraySystem {
  readonly trays: ShownTray[] = [];
  /** Set where the system refuses to show a tray. */
  refuses = false;
  readonly #images = new Map<Electron.NativeImage, MadeImage>();
  readonly #menus = new Map<Electron.Menu, Electron.MenuItemConstructorOptions[]>();

  /** The one tray that is shown; undefined when there is none. */
  get shown(): ShownTray | undefined {
    return this.trays.find(({ destroyed }) => !destroyed);
  }

  choose(label: string): void {
    const item = this.shown?.menu.find((one) => one.label === label);
    if (item?.enabled === false) return;
    // What the console does on a choice depends on neither the item nor the window nor the event.
    Reflect.apply(item?.click ?? (() => undefined), undefined, []);
  }

  asElectron(): TrayDesktop['electron'] {
    const known = <K, V>(all: Map<K, V>, key: K): V => {
      const value = all.get(key);
      if (value === undefined) throw new Error('Not made here');
      return value;
    };
    const { trays } = this;
    const images = this.#images;
    const menus = this.#menus;
    const refuses = (): boolean => this.refuses;
    class FakeTray extends EventEmitter {
      readonly #shown: ShownTray;
      constructor(image: Electron.NativeImage) {
        super();
        if (refuses()) throw new Error('No tray here');
        this.#shown = {
          image: known(images, image),
          tooltip: '',
          menu: [],
          destroyed: false,
          click: () => void this.emit('click'),
        };
        trays.push(this.#shown);
      }
      setImage(image: Electron.NativeImage): void {
        this.#shown.image = known(images, image);
      }
      setToolTip(tooltip: string): void {
        this.#shown.tooltip = tooltip;
      }
      setContextMenu(menu: Electron.Menu | null): void {
        this.#shown.menu = menu === null ? [] : known(menus, menu);
      }
      destroy(): void {
        this.#shown.destroyed = true;
      }
    }
    return {
      Tray: FakeTray,
      Menu: {
        buildFromTemplate: (template) => {
          const menu = {} satisfies Partial<Electron.Menu> as Electron.Menu;
          menus.set(menu, template as Electron.MenuItemConstructorOptions[]);
          return menu;
        },
      },
      nativeImage: {
        createFromBuffer: (buffer, options) => {
          const made: MadeImage = { pngs: new Map([[options?.scaleFactor ?? 1, buffer]]), template: false };
          const image = {
            addRepresentation: ({ scaleFactor = 1, buffer: bytes }: Electron.AddRepresentationOptions) => {
              if (bytes !== undefined) made.pngs.set(scaleFactor, bytes);
            },
            setTemplateImage: (template: boolean) => {
              made.template = template;
            },
          } satisfies Partial<Electron.NativeImage> as Electron.NativeImage;
          images.set(image, made);
          return image;
        },
      },
    };
  }
}
