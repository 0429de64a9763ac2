/** What rules of ESLint read of a component's template, as vue-eslint-parser gives it. */
import type { Rule, SourceCode } from 'eslint';

/** A node of code, also one that is reached from its parent. */
export type Code = NonNullable<Parameters<SourceCode['getText']>[0]>;

export type Range = readonly [from: number, to: number];

export interface TemplateElement {
  readonly type: 'VElement';
  readonly rawName: string;
  readonly parent: TemplateElement;
  readonly children: readonly TemplateChild[];
  readonly startTag: { readonly attributes: readonly TemplateAttribute[]; readonly range: Range };
  readonly range: Range;
}

export interface TemplateText {
  readonly type: 'VText';
  readonly value: string;
  readonly range: Range;
}

/** An expression between braces, or of a directive. */
export interface TemplateExpression {
  readonly type: 'VExpressionContainer';
  readonly parent: TemplateElement | TemplateDirective;
  readonly expression: Code | null;
  readonly range: Range;
}

export type TemplateChild = TemplateElement | TemplateText | TemplateExpression;

interface Attribute {
  readonly type: 'VAttribute';
  readonly range: Range;
  /** Of its start tag, which lies in its element. */
  readonly parent: { readonly parent: TemplateElement };
}

export interface TemplateDirective extends Attribute {
  readonly directive: true;
  readonly key: {
    readonly name: { readonly name: string };
    readonly argument: { readonly type: string; readonly name?: string } | null;
    readonly modifiers: readonly { readonly name: string }[];
  };
  readonly value: TemplateExpression | null;
}

export interface PlainAttribute extends Attribute {
  readonly directive: false;
  readonly key: { readonly rawName: string };
  readonly value: { readonly value: string; readonly range: Range } | null;
}

export type TemplateAttribute = TemplateDirective | PlainAttribute;

export type CodeVisitor = Pick<
  Rule.NodeListener,
  'BinaryExpression' | 'CallExpression' | 'Literal' | 'MemberExpression' | 'Property' | 'TemplateLiteral'
>;

/** A visitor of a template, and of the code in it. */
export interface TemplateVisitor extends CodeVisitor {
  readonly VElement?: (node: TemplateElement) => void;
  readonly 'VElement:exit'?: (node: TemplateElement) => void;
  readonly VText?: (node: TemplateText) => void;
  readonly VAttribute?: (node: TemplateAttribute) => void;
}

type Define = (template: TemplateVisitor, code: CodeVisitor) => Rule.RuleListener;

/**
 * Visits template and code of a component; of another file the code. Only the parser of components has templates.
 *
 * @param atEnd gets the last node: a component's template is visited after its code
 */
export function visitComponent(
  { sourceCode }: Rule.RuleContext,
  template: TemplateVisitor,
  code: CodeVisitor,
  atEnd: (node: Code) => void = () => undefined,
): Rule.RuleListener {
  const define = sourceCode.parserServices['defineTemplateBodyVisitor'] as Define | undefined;
  if (define === undefined) return { ...code, 'Program:exit': atEnd };
  const { templateBody } = sourceCode.ast as { readonly templateBody?: unknown };
  const ofTemplate: TemplateVisitor = {
    ...template,
    'VElement:exit'(node) {
      if (node === templateBody) atEnd(asCode(node));
    },
  };
  return define(ofTemplate, code);
}

/** A node of a template where ESLint's types ask for one of code. */
export const asCode = (node: { readonly range: Range }): Code => node as unknown as Code;
