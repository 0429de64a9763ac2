import ts from 'typescript';
import { parse } from 'vue/compiler-sfc';

/** Attributes and props whose text an operator sees or hears. */
const spoken = /^(?:aria-label|aria-description|title|placeholder|alt|label|headline|description|hint)$/;
/** A component's `name` is shown; a form control's is not, and a list's begins the ids of its rows. */
const showsName = (tag: string): boolean => /^[A-Z]/.test(tag) && tag !== 'PagedList';

const hasLetters = (text: string): boolean => /\p{L}{2}/u.test(text);
/** Words, as against a class, a key or an address: `Sign in`, `Kept in memory only.`, `Close`. */
const isSentence = (text: string): boolean =>
  /^\P{L}*\p{Lu}[\p{L}’]+(?:[ …].*|\.)$/su.test(text.trim()) ||
  // One that begins with a value: `{} more corners at least.`
  /^\{\} \p{Ll}.* .*\p{L}\.$/su.test(text.trim());
/** One word or more that begins as a heading does. */
const isHeading = (text: string): boolean => /^\p{Lu}\p{Ll}/u.test(text.trim());

const squeezed = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** The parts of a template literal, with what is put in as `{}`. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('');
}

/** What a text in code is for, where that is not to be read by an operator. */
function isForNobody(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isTypeNode(at) || ts.isThrowStatement(at)) return true;
    if (ts.isNewExpression(at) && /Error$/.test(at.expression.getText())) return true;
    // `case 'Enter':` and `event.key === 'Enter'` compare.
    if (ts.isCaseClause(at) && at.expression === node) return true;
    if (ts.isBinaryExpression(at) && /^[!=]==$/.test(at.operatorToken.getText())) return true;
    if (ts.isStatement(at)) return false;
  }
  return false;
}

function textsInCode(code: string, isText: (text: string) => boolean): string[] {
  const source = ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null && isText(text) && !isForNobody(node)) found.push(squeezed(text));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

interface TemplateNode {
  readonly type: number;
  readonly tag?: string;
  readonly content?: unknown;
  readonly props?: readonly TemplateProp[];
  readonly children?: readonly TemplateNode[];
}
interface TemplateProp {
  readonly type: number;
  readonly name: string;
  readonly value?: { readonly content: string };
  readonly exp?: { readonly content: string };
  readonly arg?: { readonly content: string };
}
/** As @vue/compiler-core numbers them. */
const [textNode, interpolationNode, attributeNode] = [2, 5, 6];

function textsInTemplate(node: TemplateNode): string[] {
  const found: string[] = [];
  if (node.type === textNode && typeof node.content === 'string' && hasLetters(node.content)) {
    found.push(squeezed(node.content));
  }
  if (node.type === interpolationNode) {
    const { content } = node.content as { readonly content: string };
    found.push(...textsInCode(`(${content})`, isHeading));
  }
  for (const prop of node.props ?? []) {
    const name = prop.type === attributeNode ? prop.name : (prop.arg?.content ?? '');
    const isSpoken = spoken.test(name) || (name === 'name' && showsName(node.tag ?? ''));
    if (!isSpoken) continue;
    if (prop.type !== attributeNode) found.push(...textsInCode(`(${prop.exp?.content ?? ''})`, isHeading));
    else if (hasLetters(prop.value?.content ?? '')) found.push(squeezed(prop.value?.content ?? ''));
  }
  return [...found, ...(node.children ?? []).flatMap(textsInTemplate)];
}

/**
 * Texts that stand in a source file and not in the words of a language: those of a component's template,
 * whatever they are, and in code those that read like words for a person.
 */
export function literalTexts(fileName: string, source: string): string[] {
  if (!fileName.endsWith('.vue')) return textsInCode(source, isSentence);
  const { descriptor } = parse(source, { filename: fileName });
  const template = descriptor.template?.ast as TemplateNode | undefined;
  const script = descriptor.scriptSetup?.content ?? descriptor.script?.content ?? '';
  return [...(template ? textsInTemplate(template) : []), ...textsInCode(script, isSentence)];
}
