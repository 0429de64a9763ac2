import { ok, type Result } from '../../../src-preload/contract/index.ts';
import { message, type Message } from '../base/messages/message.ts';
import { SerialQueue } from '../base/queues.ts';
import type { Scope } from '../base/scope.ts';
import { AttemptVault, type AttemptVaultOptions } from './attemptVault.ts';
import { saysKeyStoreShut } from './keyStoreTrouble.ts';
import type { VaultPort } from './vaultPort.ts';

/** One deployment's vaults, and the one of the present sign-in attempt. */
export class VaultSession {
  readonly #options: AttemptVaultOptions;
  readonly #closing = new SerialQueue();
  #current: AttemptVault | null = null;

  constructor(options: AttemptVaultOptions) {
    this.#options = options;
  }

  /** The vault of an attempt that begins. */
  enter(attempt: Scope): VaultPort {
    this.#current = new AttemptVault(this.#options, attempt, this.#closing);
    return this.#current;
  }

  /** The vault of the present attempt. */
  get current(): AttemptVault {
    if (this.#current === null) throw new Error('No attempt has begun');
    return this.#current;
  }

  /** Shows a sentence that the operator must see once. */
  note(sentence: Message): void {
    this.current.note(sentence);
  }

  /** The key store has opened: an operator who works without it learns how to open the stored data. */
  keyStoreOpened(): void {
    const { keeping, problem } = this.#options.store.slice('storage');
    if (keeping === 'memory' && problem !== null && saysKeyStoreShut(problem)) {
      this.note(message('vault.keyStoreOpened'));
    }
  }

  dismissNotice(): void {
    this.#options.store.patch('storage', { notice: null });
  }

  /** Updates the list of vaults. */
  list(): Promise<void> {
    return this.current.list();
  }

  /** Destroys a vault that is not open. */
  async erase(id: string): Promise<Result<null>> {
    await this.#closing.settled();
    const erased = await this.#options.repository?.erase(id);
    await this.list();
    // A vault that a full disk kept shut may open now.
    if (erased?.ok) await this.#current?.tryAgain();
    return erased ?? ok(null);
  }

  /** Resolves when every vault that was left is closed. */
  async settled(): Promise<void> {
    await this.#closing.settled();
  }
}
