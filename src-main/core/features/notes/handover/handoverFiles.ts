/** What was found where the handovers of a deployment lie. */
export type HandoverText =
  | { readonly kind: 'text'; readonly text: string }
  /** `damaged`: the seal does not hold, or the file is too large. `shut`: the system's key store has to open first. */
  | { readonly kind: 'none' | 'damaged' | 'shut' };

/**
 * A sealed text for each deployment, named by 32 hexadecimal digits. Its key is made of a secret beside the state of
 * this computer, outside of the data folder, and of the one in the system's key store where there is such a store: not
 * of a password, so that every operator can read it. All reject with a `StorageError` (core/vault/storage.ts).
 */
export interface HandoverFiles {
  read(deployment: string): Promise<HandoverText>;
  /** Answers once it would survive a power cut; `shut` where the key store has to open first: nothing is written then. */
  write(deployment: string, text: string): Promise<'written' | 'shut'>;
  /** Renames it, with the date in the name: `at` is Unix milliseconds. */
  setAside(deployment: string, at: number): Promise<void>;
}
