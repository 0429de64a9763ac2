/** The result of reading a deployment's handovers. */
export type HandoverText =
  | { readonly kind: 'text'; readonly text: string }
  /** `damaged`: the seal is broken, or the file is too large. `shut`: the system's key store has to open first. */
  | { readonly kind: 'none' | 'damaged' | 'shut' };

/**
 * One sealed text for each deployment, named by 32 hexadecimal digits. Its key comes from a secret beside this
 * computer's state, outside of the data folder, and from the one in the system's key store if there is one. It does not
 * depend on a password, so that every operator can read it. All functions reject with a `StorageError`
 * (core/vault/storage.ts).
 */
export interface HandoverFiles {
  read(deployment: string): Promise<HandoverText>;
  /**
   * Resolves when it is safe from a power cut. `shut`: nothing was written, because the key store has to open first.
   */
  write(deployment: string, text: string): Promise<'written' | 'shut'>;
  /** Renames the file, with the date in its name. `at` is Unix milliseconds. */
  setAside(deployment: string, at: number): Promise<void>;
}
