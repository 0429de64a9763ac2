interface Question<T> {
  /** What was asked for. */
  readonly of: string;
  readonly answer: (value: T) => void;
  readonly fail: () => void;
}

export interface Questions<T> {
  /** All until now, in their order. */
  readonly asked: readonly Question<T>[];
  /** Settles when the test answers. */
  ask(of: string): Promise<T>;
}

/** Questions that a part asks its port, and that a test answers in any order and at any time. */
export function createQuestions<T>(): Questions<T> {
  const asked: Question<T>[] = [];
  return {
    asked,
    ask(of) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      asked.push({ of, answer: resolve, fail: () => reject(new Error('Failed by the test')) });
      return promise;
    },
  };
}
