/** Every picture of the README and of docs, by topic, then by its name in docs/screenshots. */
export const topics: readonly {
  readonly name: string;
  readonly pictures: Readonly<Record<string, unknown>>;
}[];
