import type { Event } from 'electron';
import type { ShownDesktop } from './attachment.ts';
import type { OwnDialogs } from './dialogs.ts';

interface AskedDesktop extends Pick<ShownDesktop, 'console' | 'window' | 'words'> {
  readonly electron: {
    readonly app: Pick<ShownDesktop['electron']['app'], 'off' | 'on'>;
    readonly dialog: Pick<ShownDesktop['electron']['dialog'], 'showMessageBox'>;
  };
}

/**
 * Asks before the console's main window is closed while files are unsent: closing it ends the console, and a Ctrl+W
 * meant for a browser would stop all uploads. Menu and tray close it too; an update or the system does not ask.
 */
export const askBeforeClosing =
  (dialogs: Pick<OwnDialogs, 'during'>) =>
  ({ electron, window, console, words: { text } }: AskedDesktop): { close(): void } => {
    const { app, dialog } = electron;
    let unsent = 0;
    let quitting = false;
    let asking = false;
    const quit = (): void => void (quitting = true);
    const stop = console.watch('outbox', (outbox) => {
      unsent = outbox.unsent;
    });
    const ask = async (): Promise<void> => {
      const { response } = await dialogs.during(() =>
        dialog.showMessageBox(window, {
          type: 'question',
          message: text('closing.question', { n: unsent }),
          detail: text('closing.detail'),
          buttons: [text('closing.stay'), text('closing.end')],
          defaultId: 0,
          cancelId: 0,
          noLink: true,
        }),
      );
      if (response !== 1 || window.isDestroyed()) return;
      quitting = true;
      window.close();
    };
    const onClose = (event: Event): void => {
      if (quitting || unsent === 0) return;
      event.preventDefault();
      if (asking) return;
      asking = true;
      void ask()
        .catch(() => undefined)
        .finally(() => (asking = false));
    };
    window.on('close', onClose);
    app.on('before-quit', quit);
    window.on('session-end', quit);
    return {
      close: () => {
        stop();
        quitting = true;
        app.off('before-quit', quit);
      },
    };
  };
