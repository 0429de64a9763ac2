import { GuessLimit, type GuessPorts } from './guessLimit.ts';

/**
 * Counts guesses at vault passwords where the vault checks them and not the service. Each vault has a separate count in
 * the data folder, so that another deployment or a restart gives no new guesses.
 */
export class VaultGuesses {
  readonly #ports: GuessPorts;
  readonly #vaultOf: (username: string) => string;
  readonly #limits = new Map<string, Promise<GuessLimit>>();

  /** `vaultOf`: the name of an account's vault, 32 hexadecimal digits. */
  constructor(ports: GuessPorts, vaultOf: (username: string) => string) {
    this.#ports = ports;
    this.#vaultOf = vaultOf;
  }

  /** The count of an account's vault, read from the disk at the first call. Never rejects. */
  of(username: string): Promise<GuessLimit> {
    const vault = this.#vaultOf(username);
    const known = this.#limits.get(vault);
    if (known !== undefined) return known;
    const limit = this.#read(vault);
    this.#limits.set(vault, limit);
    return limit;
  }

  async #read(vault: string): Promise<GuessLimit> {
    const limit = new GuessLimit(this.#ports, `guesses-${vault}`);
    await limit.load();
    return limit;
  }
}
