import type { BrowserWindow, NativeImage, Tray } from 'electron';
import type { ConsoleState } from '../../../../src-preload/contract/index.ts';
import { textOf } from '../../../core/base/errors.ts';
import type { Logger } from '../../../core/base/ports.ts';
import type { App } from '../../../core/scopes/app.ts';
import type { DesktopElectron } from '../electron.ts';
import type { Words } from '../words.ts';
import { trayStateOf, type TrayKind, type TraySlices, type TrayState } from './trayState.ts';

type ShownTray = Pick<Tray, 'destroy' | 'setContextMenu' | 'setImage' | 'setToolTip'> & {
  on(event: 'click', listener: () => void): unknown;
};

export interface TrayDesktop {
  readonly electron: {
    readonly Menu: Pick<DesktopElectron['Menu'], 'buildFromTemplate'>;
    readonly nativeImage: Pick<DesktopElectron['nativeImage'], 'createFromBuffer'>;
    readonly Tray: new (image: NativeImage) => ShownTray;
  };
  readonly window: Pick<
    BrowserWindow,
    'close' | 'focus' | 'isDestroyed' | 'isMinimized' | 'restore' | 'show'
  >;
  readonly console: Pick<App, 'call' | 'watch'>;
  readonly logger: Logger;
  readonly platform: NodeJS.Platform;
  readonly words: Pick<Words, 'onChange' | 'text'>;
}

/** The images that build/trayIcons.ts draws, as data addresses by their paths. */
const images = import.meta.glob<string>('./tray/*.png', { eager: true, query: '?inline', import: 'default' });

/** Height of the image in points: Linux panels are a little higher than the bars of other systems. */
const pointsOf = (platform: NodeJS.Platform): number => (platform === 'linux' ? 22 : 16);

/** The image of a state, in the size of the system's icons beside the clock. */
export function trayImage(
  kind: TrayKind,
  {
    electron: { nativeImage },
    platform,
  }: {
    readonly electron: Pick<TrayDesktop['electron'], 'nativeImage'>;
    readonly platform: NodeJS.Platform;
  },
): NativeImage {
  const template = platform === 'darwin';
  const points = pointsOf(platform);
  const png = (size: number): Buffer => {
    const address = images[`./tray/${kind}-${size}${template ? '-template' : ''}.png`] ?? '';
    return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
  };
  const image = nativeImage.createFromBuffer(png(points), { scaleFactor: 1 });
  image.addRepresentation({ scaleFactor: 2, buffer: png(points * 2) });
  image.setTemplateImage(template);
  return image;
}

/** Shows the console's state in the system's tray, while the operator's preference is on. */
export function keepTray(shown: TrayDesktop): { close(): void } {
  const { electron, window, console, logger, platform, words } = shown;
  const { text } = words;
  const slices: Partial<TraySlices> = {};
  let wanted = false;
  let last: TrayState | null = null;
  /** `missing`: this system refused to show one, and is not asked again. */
  let tray: ShownTray | 'missing' | null = null;

  const show = (): void => {
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  // Asks about unsent files (askBeforeClosing.ts).
  const quit = (): void => {
    if (!window.isDestroyed()) window.close();
  };
  const lock = (): void => void console.call('lock', {});

  const remove = (): void => {
    if (tray !== null && tray !== 'missing') tray.destroy();
    if (tray !== 'missing') tray = null;
    last = null;
  };
  const make = (state: TrayState): ShownTray => {
    const made = new electron.Tray(trayImage(state.kind, shown));
    // On macOS a click opens the menu.
    if (platform !== 'darwin') made.on('click', show);
    return made;
  };
  const update = (): void => {
    if (!wanted || tray === 'missing' || !isComplete(slices)) return;
    const state = trayStateOf(slices, words);
    if (JSON.stringify(state) === JSON.stringify(last)) return;
    try {
      if (tray === null) tray = make(state);
      else if (last?.kind !== state.kind) tray.setImage(trayImage(state.kind, shown));
      tray.setToolTip(state.tooltip);
      // Not every system notices a menu that is changed in place.
      tray.setContextMenu(
        electron.Menu.buildFromTemplate([
          { label: text('tray.show'), click: show },
          { label: text('tray.lock'), enabled: state.lockable, click: lock },
          { type: 'separator' },
          { label: text('menu.quit'), click: quit },
        ]),
      );
      last = state;
    } catch (error) {
      tray = 'missing';
      logger.warn('tray-missing', { message: textOf(error) });
    }
  };

  const follow = <N extends keyof TraySlices>(name: N): (() => void) =>
    console.watch(name, (value: ConsoleState[N]) => {
      Object.assign(slices, { [name]: value });
      update();
    });
  const stops = [
    words.onChange(update),
    follow('app'),
    follow('connection'),
    follow('session'),
    follow('lock'),
    follow('siren'),
    console.watch('preferences', (preferences) => {
      wanted = preferences.tray;
      if (wanted) update();
      else remove();
    }),
  ];
  return {
    close: () => {
      for (const stop of stops) stop();
      remove();
    },
  };
}

const isComplete = (slices: Partial<TraySlices>): slices is TraySlices =>
  slices.app !== undefined &&
  slices.connection !== undefined &&
  slices.session !== undefined &&
  slices.lock !== undefined &&
  slices.siren !== undefined;
