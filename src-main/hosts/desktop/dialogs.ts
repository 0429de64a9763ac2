/** The system's dialogs that this program has open, which take the keyboard from its windows. */
export interface OwnDialogs {
  readonly isOpen: () => boolean;
  /** Counts a dialog as open until it is answered. */
  during<T>(ask: () => Promise<T>): Promise<T>;
  /** The page has its own dialog for a file open, or had. */
  fromPage(open: boolean): void;
  /** Hears that no dialog is open any more. */
  onClosed(listener: () => void): void;
}

export function watchDialogs(): OwnDialogs {
  let own = 0;
  // Of the page it is only known by its own word that it has one; there is one at a time.
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
