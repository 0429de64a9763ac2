/**
 * A rule of ESLint: texts for an operator stand in the words of a language, and not in the source. In a
 * template that is any text; in code it is what reads like words for a person.
 */
import type { Rule, SourceCode } from 'eslint';
import {
  asCode,
  visitComponent,
  type Code,
  type TemplateExpression,
  type TemplateVisitor,
} from './template.ts';

/** Attributes and props whose text an operator sees or hears. */
const spoken = /^(?:aria-label|aria-description|title|placeholder|alt|label|headline|description|hint)$/;
/** A component's `name` is shown; a form control's is not, and a list's begins the ids of its rows. */
const showsName = (tag: string) => /^[A-Z]/.test(tag) && tag !== 'PagedList';
const isSpoken = (name: string, tag: string) => spoken.test(name) || (name === 'name' && showsName(tag));

const hasLetters = (text: string) => /\p{L}{2}/u.test(text);
/** Words, as against a class, a key or an address: `Sign in`, `Kept in memory only.`, `Close`. */
const isSentence = (text: string) =>
  /^\P{L}*\p{Lu}[\p{L}’]+(?:[ …].*|\.)$/su.test(text.trim()) ||
  // One that begins with a value: `{} more corners at least.`
  /^\{\} \p{Ll}.* .*\p{L}\.$/su.test(text.trim());
/** One word or more that begins as a heading does. */
const isHeading = (text: string) => /^\p{Lu}\p{Ll}/u.test(text.trim());

type TextNode = Extract<Rule.Node, { type: 'Literal' | 'TemplateLiteral' }>;
/** What a node lies in, as far as it is looked at: also a node of types, or of a template. */
interface Around {
  readonly type: string;
  readonly parent: Around | null;
  readonly source?: unknown;
  readonly test?: unknown;
  readonly operator?: string;
  readonly callee?: Code;
}

/** The parts of a template literal, with what is put in as `{}`. */
function textOf(node: TextNode): string {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return node.quasis.map(({ value }) => value.cooked ?? '').join('{}');
}

/** What a text in code is for, where that is not to be read by an operator. */
function isForNobody(node: Around, sourceCode: SourceCode): boolean {
  let inner = node;
  for (let at = node.parent; at !== null; [at, inner] = [at.parent, at]) {
    if (/^(?:Import|ExportAll|TSImport)/.test(at.type) || at.type === 'ThrowStatement') return true;
    if (at.type === 'ExportNamedDeclaration' && at.source === inner) return true;
    if (/^TS.*(?:Type|Keyword|TypeReference)$/.test(at.type)) return true;
    if (at.type === 'NewExpression' && /Error$/.test(sourceCode.getText(at.callee))) return true;
    // `case 'Enter':` and `event.key === 'Enter'` compare.
    if (at.type === 'SwitchCase' && at.test === inner) return true;
    if (at.type === 'BinaryExpression' && /^[!=]==$/.test(at.operator ?? '')) return true;
    if (/Statement$|Declaration$/.test(at.type)) return false;
  }
  return false;
}

/** Whether an expression of a template is shown: between braces, or the value of a prop that is. */
function isShown(node: Around): boolean {
  let at = node.parent;
  while (at !== null && at.type !== 'VExpressionContainer') at = at.parent;
  if (at === null) return false;
  const { parent: holder } = at as unknown as TemplateExpression;
  if (holder.type === 'VElement') return true;
  const { argument } = holder.key;
  return argument?.type === 'VIdentifier' && isSpoken(argument.name ?? '', holder.parent.parent.rawName);
}

export const literalText: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'A text for an operator belongs in the words of a language: “{{text}}”.' },
  },
  create(context) {
    const { sourceCode } = context;
    const report = (node: Code, text: string) =>
      context.report({ node, messageId: 'literal', data: { text: text.trim().replaceAll(/\s+/g, ' ') } });
    const inCode = (node: TextNode) => {
      if (isSentence(textOf(node)) && !isForNobody(node, sourceCode)) report(node, textOf(node));
    };
    const inExpression = (node: TextNode) => {
      if (isHeading(textOf(node)) && isShown(node) && !isForNobody(node, sourceCode))
        report(node, textOf(node));
    };
    const script = { Literal: inCode, TemplateLiteral: inCode };
    const template: TemplateVisitor = {
      Literal: inExpression,
      TemplateLiteral: inExpression,
      VText(node) {
        if (hasLetters(node.value)) report(asCode(node), node.value);
      },
      VAttribute(node) {
        if (node.directive || node.value === null) return;
        const { key, value, parent } = node;
        if (isSpoken(key.rawName, parent.parent.rawName) && hasLetters(value.value))
          report(asCode(value), value.value);
      },
    };
    return visitComponent(context, template, script);
  },
};
