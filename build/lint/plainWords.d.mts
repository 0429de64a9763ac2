type Messages = readonly (readonly [key: string, text: string])[];
interface Rules {
  readonly banned: readonly string[];
  /** Of one sentence. */
  readonly mostWords: number;
}

export function sentencesOf(text: string): string[];
export function wordCount(sentence: string, language: string): number;
export function faultsOf(messages: Messages, rules: Rules, language: string): string[];
export function rulesOf(language: string): Rules;
