import ts from 'typescript';
import { parse } from 'vue/compiler-sfc';

/** Looks for sentences that the source puts together of several messages, or of a message and something else. */

/** Functions that give words of a language. */
const worded = /^(?:t|raised|inLine|headed|said|sentenceOf|remedyOf|\w*(?:Words?|Sentence|InLine))$/;
const changesCase = /^to(?:Locale)?(?:Lower|Upper)Case$/;

const squeezed = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
const parsed = (code: string): ts.SourceFile =>
  ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true);

function some(node: ts.Node, isSo: (node: ts.Node) => boolean): boolean {
  return isSo(node) || (ts.forEachChild(node, (child) => some(child, isSo)) ?? false);
}
const isWorded = (node: ts.Node): boolean =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && worded.test(node.expression.text);

/** A value that is words itself: a call, or a choice between such. */
function givesWords(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return givesWords(node.expression);
  if (ts.isConditionalExpression(node)) return givesWords(node.whenTrue) || givesWords(node.whenFalse);
  return isWorded(node);
}

function piecesInCode(code: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
      if (givesWords(node.left) || givesWords(node.right)) found.push(squeezed(node.getText()));
    }
    if (ts.isTemplateExpression(node)) {
      const bare = node.head.text + node.templateSpans.map(({ literal }) => literal.text).join('');
      const more = bare !== '' || node.templateSpans.length > 1;
      if (more && node.templateSpans.some(({ expression }) => givesWords(expression))) {
        found.push(squeezed(node.getText()));
      }
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      if (changesCase.test(name.text) && givesWords(expression)) found.push(squeezed(node.getText()));
      const [separator] = node.arguments;
      const isText = separator !== undefined && ts.isStringLiteral(separator);
      // A list in words; a dot between facts is no part of a sentence.
      if (name.text === 'join' && isText && /[,;،、]/.test(separator.text)) {
        found.push(squeezed(node.getText()));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed(code));
  return found;
}

interface TemplateNode {
  readonly type: number;
  readonly tag?: string;
  readonly content?: unknown;
  readonly props?: readonly TemplateProp[];
  readonly children?: readonly TemplateNode[];
  readonly loc: { readonly source: string };
}
interface TemplateProp {
  readonly type: number;
  readonly name?: string;
  readonly exp?: { readonly content: string };
}
/** As @vue/compiler-core numbers them. */
const [elementNode, textNode, interpolationNode, directiveNode] = [1, 2, 5, 7];
/** What stands in the line of its text. */
const inLine = /^(?:span|template|bdi|b|strong|em|code|a|button|time|I18nT|StateHelp)$/;

const codeOf = (node: TemplateNode): string => (node.content as { readonly content: string }).content;
/** Whether a part of a line says words of a language, or a value that is no word: null for neither. */
function saysOf(node: TemplateNode): 'words' | 'value' | null {
  if (node.type === interpolationNode) return some(parsed(`(${codeOf(node)})`), isWorded) ? 'words' : 'value';
  if (node.type !== elementNode || !inLine.test(node.tag ?? '')) return null;
  // A slot's template stands where its component puts it.
  if (node.props?.some(({ type, name }) => type === directiveNode && name === 'slot')) return null;
  const inside = (node.children ?? []).map(saysOf).filter((one) => one !== null);
  if (node.tag === 'I18nT' || inside.includes('words')) return 'words';
  return inside.length > 0 ? 'value' : null;
}

function piecesInTemplate(node: TemplateNode): string[] {
  const found: string[] = [];
  if (node.type === interpolationNode) found.push(...piecesInCode(`(${codeOf(node)})`));
  for (const prop of node.props ?? []) {
    if (prop.type === directiveNode) found.push(...piecesInCode(`(${prop.exp?.content ?? ''})`));
  }
  const children = node.children ?? [];
  // Parts of a line that a blank or a sign joins; a dot, or nothing but their layout, sets them apart.
  for (const [at, between] of children.entries()) {
    if (between.type !== textNode || typeof between.content !== 'string') continue;
    if (/[·–—]/.test(between.content)) continue;
    const [before, after] = [children[at - 1], children[at + 1]];
    const says = [before, after].map((one) => (one === undefined ? null : saysOf(one)));
    const isJoined = !says.includes(null) && says.includes('words');
    const isMarked = says.includes('words') && squeezed(between.content) !== '';
    if (isJoined || isMarked) {
      found.push(squeezed(`${before?.loc.source ?? ''}${between.content}${after?.loc.source ?? ''}`));
    }
  }
  return [...found, ...children.flatMap(piecesInTemplate)];
}

/** What a source file puts together of words, as it stands there with its blanks squeezed. */
export function piecesIn(fileName: string, source: string): string[] {
  if (!fileName.endsWith('.vue')) return piecesInCode(source);
  const { descriptor } = parse(source, { filename: fileName });
  const template = descriptor.template?.ast as TemplateNode | undefined;
  const script = descriptor.scriptSetup?.content ?? descriptor.script?.content ?? '';
  return [...(template ? piecesInTemplate(template) : []), ...piecesInCode(script)];
}

export interface NumberValue {
  readonly key: string;
  readonly value: string;
}

/** Whether an expression is a number, or one written out. */
function isNumber(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isNumber(node.expression);
  if (ts.isNumericLiteral(node)) return true;
  if (ts.isBinaryExpression(node)) return /^[-+*/%]$/.test(node.operatorToken.getText());
  if (ts.isPropertyAccessExpression(node)) return /^(?:length|size|count)$/.test(node.name.text);
  const called = ts.isCallExpression(node) ? node.expression.getText() : '';
  return /^(?:count|counts|String|number)$|\.format$|^Math\./.test(called);
}
function keysOf(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...keysOf(node.whenTrue), ...keysOf(node.whenFalse)];
  return [];
}

function numbersInCode(code: string): NumberValue[] {
  const found: NumberValue[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 't') {
      const [key, values] = node.arguments;
      const properties =
        values !== undefined && ts.isObjectLiteralExpression(values) ? values.properties : [];
      for (const property of properties) {
        if (!ts.isPropertyAssignment(property) || !isNumber(property.initializer)) continue;
        const value = property.name.getText();
        found.push(...(key === undefined ? [] : keysOf(key)).map((one) => ({ key: one, value })));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed(code));
  return found;
}

function expressionsIn(node: TemplateNode): string[] {
  const own = node.type === interpolationNode ? [codeOf(node)] : [];
  const props = (node.props ?? []).flatMap(({ exp }) => (exp === undefined ? [] : [exp.content]));
  return [...own, ...props, ...(node.children ?? []).flatMap(expressionsIn)];
}

/** Which values of which messages a source file gives as numbers. */
export function numbersIn(fileName: string, source: string): NumberValue[] {
  if (!fileName.endsWith('.vue')) return numbersInCode(source);
  const { descriptor } = parse(source, { filename: fileName });
  const template = descriptor.template?.ast as TemplateNode | undefined;
  const script = descriptor.scriptSetup?.content ?? descriptor.script?.content ?? '';
  const expressions = template === undefined ? [] : expressionsIn(template).map((code) => `(${code})`);
  return [script, ...expressions].flatMap(numbersInCode);
}
