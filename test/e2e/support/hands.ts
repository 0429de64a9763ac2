import type { Page } from '@playwright/test';

/**
 * An operator with a keyboard and nothing else, whose steps are counted by task. A key or keys held together are one
 * step; so is a text that is typed into one field, however long.
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

  count(task: string): number {
    return this.#steps.get(task)?.length ?? 0;
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
