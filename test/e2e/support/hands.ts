import type { Locator, Page } from '@playwright/test';

/**
 * An operator whose steps are counted, by task. A press of the pointer is one step, so is a key or keys held together,
 * and a text that is typed into one field, however long.
 */
export class Hands {
  readonly #page: Page;
  readonly #steps = new Map<string, string[]>();
  #task = '';

  constructor(page: Page) {
    this.#page = page;
  }

  begin(task: string): void {
    this.#task = task;
    this.#steps.set(task, []);
  }

  async press(key: string): Promise<void> {
    this.#note(key);
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#note(`“${text}”`);
    await this.#page.keyboard.type(text);
  }

  async click(what: string, where: Locator, held?: 'Shift'): Promise<void> {
    this.#note(what);
    await where.click({ modifiers: held === undefined ? [] : [held] });
  }

  /** A double press is one step. */
  async pressTwice(what: string, where: Locator): Promise<void> {
    this.#note(what);
    await where.dblclick();
  }

  /** Holds the pointer on it until `then` has come. */
  async hold(what: string, where: Locator, then: () => Promise<void>): Promise<void> {
    this.#note(what);
    await where.hover();
    await this.#page.mouse.down();
    await then();
    await this.#page.mouse.up();
  }

  count(task: string): number {
    return this.#steps.get(task)?.length ?? 0;
  }

  get tasks(): readonly string[] {
    return [...this.#steps.keys()];
  }

  /** One line for each task, with its steps. */
  report(): string {
    return [...this.#steps]
      .map(([task, steps]) => `${task}: ${String(steps.length)} (${steps.join(', ')})`)
      .join('\n');
  }

  #note(step: string): void {
    this.#steps.get(this.#task)?.push(step);
  }
}
