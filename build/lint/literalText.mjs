/**
 * A rule of ESLint: texts for an operator stand in the words of a language, and not in the source. In a
 * template that is any text; in code it is what reads like words for a person.
 */

/** Attributes and props whose text an operator sees or hears. */
const spoken = /^(?:aria-label|aria-description|title|placeholder|alt|label|headline|description|hint)$/;
/** A component's `name` is shown; a form control's is not, and a list's begins the ids of its rows. */
const showsName = (tag) => /^[A-Z]/.test(tag) && tag !== 'PagedList';
const isSpoken = (name, tag) => spoken.test(name) || (name === 'name' && showsName(tag));

const hasLetters = (text) => /\p{L}{2}/u.test(text);
/** Words, as against a class, a key or an address: `Sign in`, `Kept in memory only.`, `Close`. */
const isSentence = (text) =>
  /^\P{L}*\p{Lu}[\p{L}’]+(?:[ …].*|\.)$/su.test(text.trim()) ||
  // One that begins with a value: `{} more corners at least.`
  /^\{\} \p{Ll}.* .*\p{L}\.$/su.test(text.trim());
/** One word or more that begins as a heading does. */
const isHeading = (text) => /^\p{Lu}\p{Ll}/u.test(text.trim());

/** The parts of a template literal, with what is put in as `{}`. */
function textOf(node) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.quasis.map(({ value }) => value.cooked ?? '').join('{}');
}

/** What a text in code is for, where that is not to be read by an operator. */
function isForNobody(node, sourceCode) {
  for (let [at, inner] = [node.parent, node]; at; [at, inner] = [at.parent, at]) {
    if (/^(?:Import|ExportAll|TSImport)/.test(at.type) || at.type === 'ThrowStatement') return true;
    if (at.type === 'ExportNamedDeclaration' && at.source === inner) return true;
    if (/^TS.*(?:Type|Keyword|TypeReference)$/.test(at.type)) return true;
    if (at.type === 'NewExpression' && /Error$/.test(sourceCode.getText(at.callee))) return true;
    // `case 'Enter':` and `event.key === 'Enter'` compare.
    if (at.type === 'SwitchCase' && at.test === inner) return true;
    if (at.type === 'BinaryExpression' && /^[!=]==$/.test(at.operator)) return true;
    if (/Statement$|Declaration$/.test(at.type)) return false;
  }
  return false;
}

/** Whether an expression of a template is shown: between braces, or the value of a prop that is. */
function isShown(node) {
  let at = node.parent;
  while (at && at.type !== 'VExpressionContainer') at = at.parent;
  if (at?.parent.type === 'VElement') return true;
  if (at?.parent.type !== 'VAttribute') return false;
  const { key, parent } = at.parent;
  return key.argument?.type === 'VIdentifier' && isSpoken(key.argument.name, parent.parent.rawName);
}

export const literalText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'A text for an operator belongs in the words of a language: “{{text}}”.' },
  },
  create(context) {
    const { sourceCode } = context;
    const report = (node, text) =>
      context.report({ node, messageId: 'literal', data: { text: text.trim().replaceAll(/\s+/g, ' ') } });
    const inCode = (node) => {
      if (isSentence(textOf(node) ?? '') && !isForNobody(node, sourceCode)) report(node, textOf(node));
    };
    const inExpression = (node) => {
      if (isHeading(textOf(node) ?? '') && isShown(node) && !isForNobody(node, sourceCode))
        report(node, textOf(node));
    };
    const script = { Literal: inCode, TemplateLiteral: inCode };
    const template = {
      Literal: inExpression,
      TemplateLiteral: inExpression,
      VText(node) {
        if (hasLetters(node.value)) report(node, node.value);
      },
      'VAttribute[directive=false]'({ key, value, parent }) {
        if (value && isSpoken(key.rawName, parent.parent.rawName) && hasLetters(value.value))
          report(value, value.value);
      },
    };
    // Only the parser of components has templates.
    const both = sourceCode.parserServices.defineTemplateBodyVisitor;
    return both ? both(template, script) : script;
  },
};
