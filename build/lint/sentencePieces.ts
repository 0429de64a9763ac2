/**
 * A rule of ESLint: a sentence that an operator reads is one message. Put together of several, or of a message and
 * something else, it cannot be translated.
 *
 * Its option are the pieces that a file may have, each by how it begins. One that is not found is reported too.
 */
import type { Rule } from 'eslint';
import {
  asCode,
  visitComponent,
  type Code,
  type CodeVisitor,
  type TemplateAttribute,
  type TemplateChild,
  type TemplateText,
  type TemplateVisitor,
} from './template.ts';

/** Functions that give words of a language. */
const worded = /^(?:t|raised|inLine|headed|messageText|sentenceOf|remedyOf|\w*(?:Words?|Sentence|InLine))$/;
const changesCase = /^to(?:Locale)?(?:Lower|Upper)Case$/;
/** What stands in the line of its text. */
const inLine = /^(?:span|template|bdi|b|strong|em|code|a|button|time|I18nT|StateHelp)$/;

const squeezed = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
const isWorded = (node: Code) =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && worded.test(node.callee.name);

/** A value that is words itself: a call, or a choice between such. */
const givesWords = (node: Code): boolean =>
  node.type === 'ConditionalExpression'
    ? givesWords(node.consequent) || givesWords(node.alternate)
    : isWorded(node);

const isNode = (value: unknown): value is Code =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const partsOf = (node: object): readonly Code[] =>
  Object.entries(node)
    .filter(([key]) => key !== 'parent' && key !== 'references' && key !== 'variables')
    .flatMap(([, value]): unknown => value)
    .filter(isNode);
const saysWords = (node: Code): boolean => isWorded(node) || partsOf(node).some(saysWords);

const isSlot = (attribute: TemplateAttribute) => attribute.directive && attribute.key.name.name === 'slot';

/** Whether a part of a line says words of a language, or a value that is no word: null for neither. */
function saysOf(node: TemplateChild | undefined): 'words' | 'value' | null {
  if (node?.type === 'VExpressionContainer') return saysWords(asCode(node)) ? 'words' : 'value';
  if (node?.type !== 'VElement' || !inLine.test(node.rawName)) return null;
  // A slot's template stands where its component puts it.
  if (node.startTag.attributes.some(isSlot)) return null;
  const inside = node.children.map(saysOf).filter((one) => one !== null);
  if (node.rawName === 'I18nT' || inside.includes('words')) return 'words';
  return inside.length > 0 ? 'value' : null;
}

/** Between two elements a line break is layout, and no blank. */
const isLayout = (between: TemplateText, before?: TemplateChild, after?: TemplateChild) =>
  /^\s*\n\s*$/.test(between.value) && before?.type === 'VElement' && after?.type === 'VElement';

export const sentencePieces: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'string' } }],
    messages: {
      pieces: 'A sentence is one message, not put together of pieces: “{{piece}}”.',
      gone: 'No piece begins like this now: “{{piece}}”.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const [allowed = []] = context.options as [(readonly string[])?];
    const found = new Set<string>();
    const judge = (node: Code, piece: string) => {
      const starts = allowed.filter((start) => piece.startsWith(start));
      for (const start of starts) found.add(start);
      if (starts.length === 0) context.report({ node, messageId: 'pieces', data: { piece } });
    };
    const report = (node: Code) => {
      judge(node, squeezed(sourceCode.getText(node)));
    };
    const inCode: CodeVisitor = {
      BinaryExpression(node) {
        if (node.operator === '+' && (givesWords(node.left) || givesWords(node.right))) report(node);
      },
      TemplateLiteral(node) {
        const bare = node.quasis.map(({ value }) => value.raw).join('');
        if ((bare !== '' || node.expressions.length > 1) && node.expressions.some(givesWords)) report(node);
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
        if (changesCase.test(callee.property.name) && givesWords(callee.object)) report(node);
        const [separator] = node.arguments;
        // A list in words; a dot between facts is no part of a sentence.
        if (
          callee.property.name === 'join' &&
          separator?.type === 'Literal' &&
          /[,;،、]/.test(String(separator.value))
        )
          report(node);
      },
    };
    const template: TemplateVisitor = {
      ...inCode,
      VElement({ children }) {
        // Parts of a line that a blank or a sign joins; a dot, or nothing but their layout, sets them apart.
        for (const [at, between] of children.entries()) {
          if (between.type !== 'VText' || /[·–—]/.test(between.value)) continue;
          const [before, after] = [children[at - 1], children[at + 1]];
          if (isLayout(between, before, after)) continue;
          const says = [saysOf(before), saysOf(after)];
          if (!says.includes('words')) continue;
          if (says.includes(null) && squeezed(between.value) === '') continue;
          const [from, to] = [(before ?? between).range[0], (after ?? between).range[1]];
          judge(asCode(between), squeezed(sourceCode.text.slice(from, to)));
        }
      },
    };
    const reportGone = (node: Code) => {
      for (const piece of allowed)
        if (!found.has(piece)) context.report({ node, messageId: 'gone', data: { piece } });
    };
    return visitComponent(context, template, inCode, reportGone);
  },
};
