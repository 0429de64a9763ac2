import { expect, it } from 'vitest';
import { z } from 'zod';
import { ContractText } from './contractText.ts';

const textOf = (schema: z.core.$ZodType): string => new ContractText({ T: schema }).types().join('\n');
const id = z.string().max(8);

it.each([
  ['a type', z.string(), z.number()],
  ['a whole number', z.number(), z.int()],
  ['a kind of number', z.float32(), z.float64()],
  ['a conversion', z.number(), z.coerce.number()],
  ['a bound', z.string().max(8), z.string().max(9)],
  ['a bound from below', z.string().min(1), z.string().max(1)],
  ['a bound of a number', z.number().min(0), z.number().positive()],
  ['a bound of a list', z.array(id).max(8), z.array(id)],
  ['a length', z.string().length(8), z.string().max(8)],
  ['a step', z.number().multipleOf(2), z.number().multipleOf(3)],
  ['what a bound is of', z.array(z.string()).max(8), z.array(z.string().max(8))],
  ['a pattern', z.string().regex(/^a$/), z.string().regex(/^a$/i)],
  ['a format', z.email(), z.url()],
  ['a beginning', z.string().startsWith('a'), z.string().startsWith('b')],
  ['bytes', z.instanceof(Uint8Array), z.instanceof(Date)],
  ['one more literal', z.literal(['a']), z.literal(['a', 'b'])],
  ['a literal that is a number', z.literal('1'), z.literal(1)],
  ['a value of an enum', z.enum(['a', 'b']), z.enum(['a', 'c'])],
  ['null', z.string(), z.string().nullable()],
  ['null in a list', z.array(z.string().nullable()), z.array(z.string()).nullable()],
  ['an option', z.union([z.string(), z.int()]), z.union([z.string(), z.int(), z.boolean()])],
  ['one option only', z.union([z.string(), z.email()]), z.xor([z.string(), z.email()])],
  ['a field', z.strictObject({ a: id }), z.strictObject({ a: id, b: id })],
  ['the name of a field', z.strictObject({ a: id }), z.strictObject({ b: id })],
  ['a field that may be left out', z.strictObject({ a: id }), z.strictObject({ a: id.optional() })],
  ['left out or null', z.strictObject({ a: id.optional() }), z.strictObject({ a: id.nullable() })],
  ['a default', z.strictObject({ a: id }), z.strictObject({ a: id.default('') })],
  ['another default', z.strictObject({ a: id.default('') }), z.strictObject({ a: id.default('b') })],
  ['a default or left out', z.strictObject({ a: id.default('') }), z.strictObject({ a: id.optional() })],
  ['undefined', z.tuple([id]), z.tuple([id.optional()])],
  ['other fields, dropped', z.strictObject({ a: id }), z.object({ a: id })],
  ['other fields, left', z.object({ a: id }), z.looseObject({ a: id })],
  ['other fields, read', z.looseObject({ a: id }), z.object({ a: id }).catchall(id)],
  ['a value of a record', z.record(id, z.int()), z.record(id, z.number())],
  ['a key of a record', z.record(id, z.int()), z.record(z.string(), z.int())],
  ['a key that may be left out', z.record(z.enum(['a']), id), z.partialRecord(z.enum(['a']), id)],
  ['other keys', z.record(id, id), z.looseRecord(id, id)],
  ['an item of a tuple', z.tuple([id, id]), z.tuple([id])],
  ['the rest of a tuple', z.tuple([id]), z.tuple([id], id)],
  ['read only', z.array(id), z.array(id).readonly()],
  ['a check of our own', z.string(), z.string().refine(Boolean)],
  ['two checks of our own', z.string().refine(Boolean), z.string().refine(Boolean).refine(Boolean)],
  ['a rewritten value', z.string(), z.string().trim()],
  ['a transform', z.string(), z.string().transform(Number)],
  ['what a transform takes', z.string().transform(String), z.int().transform(String)],
  ['what a transform gives', z.preprocess(String, z.string()), z.preprocess(String, id)],
  ['what is behind a name', z.lazy(() => z.string()), z.lazy(() => z.int())],
  ['both of two', z.intersection(z.string(), id), z.intersection(id, id)],
])('shows a change of %s', (_, before, after) => {
  expect(textOf(before)).not.toBe(textOf(after));
});

it('shows the access, the request and the reply of a verb', () => {
  const access = { whileLocked: 'refused', signedIn: true, needs: 'hands' } as const;
  const request = z.strictObject({ id: z.string().max(32), note: z.string().max(500).optional() });
  expect(new ContractText({}).verb('acknowledge', 'handsOn', { access, request, reply: z.null() })).toBe(
    'acknowledge handsOn { id: string <=32, note?: string <=500 } -> null',
  );
});

it('says what is named by its name, and where it is in itself', () => {
  type Tree = { value: string; parts: Tree[] };
  const named = z.strictObject({ value: id, parts: z.array(z.lazy((): z.ZodType<Tree> => named)) });
  const text = new ContractText({ Id: id, Tree: named, Trees: z.array(named).max(2) });
  expect(text.types()).toEqual([
    'Id = string <=8',
    'Tree = { value: Id, parts: Tree[] }',
    'Trees = Tree[] <=2',
  ]);
});

it('says the same of a schema that was used', () => {
  const schema = z.strictObject({
    a: z.lazy(() => id),
    b: z.union([id, z.int()]),
    c: z.array(id).default([]),
  });
  const before = textOf(schema);
  schema.parse({ a: 'a', b: 1 });
  expect(textOf(schema)).toBe(before);
});

it('says together what belongs together', () => {
  const point = z.strictObject({ x: z.int().min(0), y: z.int().nullable().default(null) });
  expect(textOf(z.array(z.union([point.refine(Boolean), z.string().nullable()])).max(3))).toBe(
    'T = ({ x: int >=0, y: int | null = null } own checks: 1 | string | null)[] <=3',
  );
});

it('breaks long types a field and an option a line', () => {
  const names = z.enum(['a', 'b', 'c', 'd'].map((name) => name.repeat(28)));
  const long = z.strictObject({ short: z.strictObject({ a: id }), names, kind: z.array(names) });
  const lines = (mark: string): string[] =>
    ['a', 'b', 'c', 'd'].map((name) => `    ${mark}${JSON.stringify(name.repeat(28))}`);
  expect(textOf(long).split('\n')).toEqual([
    'T = {',
    '  short: { a: string <=8 }',
    ...['  names:', ...lines('| ')],
    ...['  kind: (', ...lines('| ').slice(0, 3), `${lines('| ').at(-1) ?? ''})[]`],
    '}',
  ]);
});
