import type { z } from 'zod';
import type { VerbDeclaration } from '../../src-preload/contract/verb.ts';
import { isGroup, laidOut, type Group, type Text } from './layout.ts';

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];
/** Of a schema. Only a field says by a mark that it may be left out. */
type TextOf = (schema: Schema, isField?: boolean) => Text;
/** A text, and the part of the definition that it leaves out. */
type Said = readonly [Text, object];
type Forms = {
  readonly [K in Definition['type']]?: (
    definition: Extract<Definition, { readonly type: K }>,
    text: TextOf,
    isField: boolean,
  ) => Said;
};

const definition = (schema: Schema): Definition => (schema as z.core.$ZodTypes)._zod.def;
const group = (open: string, parts: readonly Text[], close: string, between = ', '): Group => ({
  ...{ open, parts, between, close },
});
const oneOf = (parts: readonly Text[], between = ' | '): Text =>
  group(
    '',
    parts.flatMap((part) => (isGroup(part) && part.between === between ? part.parts : [part])),
    '',
    between,
  );
const bracketed = (text: Text): Text =>
  (typeof text === 'string' && !text.includes(' ')) || (isGroup(text) && text.open !== '')
    ? text
    : ['(', text, ')'];

const forms: Forms = {
  number: (number) => {
    const { format = 'number', ...rest } = number as Partial<z.core.$ZodNumberFormatDef>;
    return [format === 'safeint' ? 'int' : format, rest];
  },
  literal: ({ values, ...rest }) => [oneOf(values.map((value) => JSON.stringify(value))), rest],
  enum: ({ entries, ...rest }) => [oneOf(Object.values(entries).map((value) => JSON.stringify(value))), rest],
  array: ({ element, ...rest }, text) => [[bracketed(text(element)), '[]'], rest],
  tuple: ({ items, rest: more, ...rest }, text) => [
    group('[', [...items.map((item) => text(item)), ...(more === null ? [] : [['...', text(more)]])], ']'),
    rest,
  ],
  record: ({ keyType, valueType, ...rest }, text) => [
    group('record<', [text(keyType), text(valueType)], '>'),
    rest,
  ],
  object: ({ shape, catchall, ...rest }, text) => {
    const fields = Object.entries(shape).map(([name, schema]): Text => {
      const mark = definition(schema).type === 'optional' ? '?: ' : ': ';
      return [name, mark, text(schema, true)];
    });
    if (catchall === undefined) fields.push('...dropped');
    else if (definition(catchall).type !== 'never') fields.push(['...', text(catchall)]);
    return [fields.length === 0 ? '{}' : group('{ ', fields, ' }'), rest];
  },
  union: ({ options, inclusive, ...rest }, text) => [
    oneOf(
      options.map((option) => text(option)),
      // Of the options that a field tells apart one at most fits.
      inclusive === false && !('discriminator' in rest) ? ' xor ' : ' | ',
    ),
    rest,
  ],
  nullable: ({ innerType, ...rest }, text) => [oneOf([text(innerType), 'null']), rest],
  optional: ({ innerType, ...rest }, text, isField) => [
    isField ? text(innerType) : oneOf([text(innerType), 'undefined']),
    rest,
  ],
  default: ({ innerType, defaultValue, ...rest }, text, isField) => {
    const said = [text(innerType), ` = ${JSON.stringify(defaultValue)}`];
    return [isField ? said : ['(', said, ')'], rest];
  },
  readonly: ({ innerType, ...rest }, text) => [['readonly ', bracketed(text(innerType))], rest],
  lazy: ({ getter, ...rest }, text) => [text(getter()), rest],
};

type Check = Readonly<Record<string, unknown>>;
const compared =
  (sign: string) =>
  ({ minimum, maximum, length, value, inclusive = true, ...rest }: Check): Said => [
    `${sign}${inclusive === true ? '=' : ''}${String(minimum ?? maximum ?? length ?? value)}`,
    rest,
  ];
const checkForms: Readonly<Record<string, (check: Check) => Said>> = {
  min_length: compared('>'),
  max_length: compared('<'),
  length_equals: compared('='),
  greater_than: compared('>'),
  less_than: compared('<'),
  string_format: ({ format, pattern, ...rest }) => [
    `${format === 'regex' ? '' : `${String(format)} `}${String(pattern)}`,
    rest,
  ],
};
/** Refinements, and what rewrites a value: functions, of which only the number is said. */
const ownChecks = ['custom', 'overwrite'];
/** Kinds whose text is looser than a check behind it. */
const loose: readonly string[] = ['literal', 'enum', 'union', 'nullable', 'optional', 'default', 'readonly'];
/** What no page relies on: how Zod checks a value, what it says of a refused one and what it keeps of a lazy schema. */
const silent = ['type', 'check', 'checks', 'abort', 'error', 'discriminator', '_cachedInner'];

/**
 * The contract as text: schemas that `named` has by their names, all others where they are used. What Zod's definition
 * of a schema holds without a form here stands there by Zod's own word, so that no change can be left out.
 */
export class ContractText {
  readonly #names: ReadonlyMap<Schema, string>;

  constructor(named: Readonly<Record<string, Schema>>) {
    this.#names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));
  }

  /** Of a verb: who may call it, its request and its reply. */
  verb(name: string, access: string, { request, reply }: VerbDeclaration): string {
    return laidOut([`${name} ${access} `, this.#text(request), ' -> ', this.#text(reply)]);
  }

  /** Of each named schema, its name and all of it. */
  types(): string[] {
    return [...this.#names].map(([schema, name]) => laidOut([`${name} = `, this.#whole(schema, false)]));
  }

  /** Of a schema that may have a name. */
  readonly #text: TextOf = (schema, isField = false) =>
    this.#names.get(schema) ?? this.#whole(schema, isField);

  #whole(schema: Schema, isField: boolean): Text {
    const of = definition(schema);
    const form = forms[of.type] as ((...of: [Definition, TextOf, boolean]) => Said) | undefined;
    const { Class } = schema._zod.bag as { readonly Class?: { readonly name: string } };
    const [text, rest] = form?.(of, this.#text, isField) ?? [Class?.name ?? of.type, of];
    const more = this.#rest(rest);
    const checks = (of.checks ?? []).map(({ _zod }) => ({ ..._zod.def }));
    for (const check of checks.filter((one) => !ownChecks.includes(one.check))) {
      const [said, left] = checkForms[check.check]?.(check) ?? [check.check, check];
      more.push(' ', said, ...this.#rest(left));
    }
    const own = checks.filter((one) => ownChecks.includes(one.check)).length;
    if (own > 0) more.push(` own checks: ${String(own)}`);
    if (more.length === 0) return text;
    return [loose.includes(of.type) ? bracketed(text) : text, ...more];
  }

  #rest(rest: object): Text[] {
    return Object.entries(rest)
      .filter(([key, value]) => !silent.includes(key) && value !== undefined && typeof value !== 'function')
      .map(([key, value]) => [
        ` ${key}: `,
        value instanceof Object && '_zod' in value ? this.#text(value as Schema) : JSON.stringify(value),
      ]);
  }
}
