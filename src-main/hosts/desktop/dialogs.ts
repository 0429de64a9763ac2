/** The open system dialogs of this program, which take the keyboard from its windows. */
export interface OwnDialogs {
  readonly isOpen: () => boolean;
  /** Counts a dialog as open until it is answered. */
  during<T>(ask: () => Promise<T>): Promise<T>;
  /** The page opened or closed its file dialog. */
  fromPage(open: boolean): void;
  /** Calls `listener` when no dialog is open. */
  onClosed(listener: () => void): void;
}

export function watchDialogs(): OwnDialogs {
  let own = 0;
  // Only the page knows about its dialog. There is one at a time.
  let page = false;
  const listeners = new Set<() => void>();
  const isOpen = (): boolean => own > 0 || page;
  const closed = (): void => {
    if (!isOpen()) for (const listener of listeners) listener();
  };
  return {
    isOpen,
    during: async (ask) => {
      own += 1;
      try {
        return await ask();
      } finally {
        own -= 1;
        closed();
      }
    },
    fromPage: (open) => {
      if (page === open) return;
      page = open;
      closed();
    },
    onClosed: (listener) => void listeners.add(listener),
  };
}
