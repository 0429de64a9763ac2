import { z } from 'zod';

/** What a check adds that JSON Schema has no word for: our own refinements, and what rewrites the value. */
const ownChecks = ['custom', 'overwrite'];

/**
 * A schema of the contract as JSON Schema, for comparing it with what it was. A node that JSON Schema has no
 * word for, such as bytes or a transform, stands by Zod's name of its kind; refinements stand by their number.
 */
export const dumped = (schema: z.ZodType, io: 'input' | 'output'): unknown =>
  z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    cycles: 'ref',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { type, checks = [] } = zodSchema._zod.def as {
        readonly type: string;
        readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
      };
      const own = checks.filter(({ _zod }) => ownChecks.includes(_zod.def.check)).length;
      if (own > 0) Object.assign(jsonSchema, { 'x-own-checks': own });
      if (Object.keys(jsonSchema).length === 0) Object.assign(jsonSchema, { 'x-kind': type });
      delete jsonSchema.$schema;
    },
  });
