import type { Rule } from 'eslint';

interface Words {
  readonly [key: string]: string | Words;
}
type Messages = readonly (readonly [key: string, text: string])[];

export const numberForms: Rule.RuleModule;
export function messagesOf(words: Words): Messages;
export function keysOfOneForm(messages: Messages): readonly string[];
export function withoutForms(messages: Messages): readonly string[];
