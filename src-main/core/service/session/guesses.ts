import { GuessLimit, type GuessLimitOptions } from './guessLimit.ts';

/**
 * The guesses at the passwords of vaults, where it is the vault and not the service that judges them. Each vault has
 * a count of its own, in the data folder: neither another deployment nor a restart gives new guesses.
 */
export class VaultGuesses {
  readonly #options: Omit<GuessLimitOptions, 'document'>;
  readonly #vaultOf: (username: string) => string;
  readonly #books = new Map<string, Promise<GuessLimit>>();

  /** `vaultOf`: the name of an account's vault, 32 hexadecimal digits. */
  constructor(
    options: Omit<GuessLimitOptions, 'document'> & { readonly vaultOf: (username: string) => string },
  ) {
    const { vaultOf, ...others } = options;
    this.#options = others;
    this.#vaultOf = vaultOf;
  }

  /** The count of an account's vault, read from the disk at the first time. Never rejects. */
  of(username: string): Promise<GuessLimit> {
    const vault = this.#vaultOf(username);
    const known = this.#books.get(vault);
    if (known !== undefined) return known;
    const book = this.#read(vault);
    this.#books.set(vault, book);
    return book;
  }

  async #read(vault: string): Promise<GuessLimit> {
    const book = new GuessLimit({ ...this.#options, document: `guesses-${vault}.json` });
    await book.load();
    return book;
  }
}
