import { z } from 'zod';

/** Before any schema is made: zod's compiled parsers use `new Function`, which the page's policy refuses. */
z.config({ jitless: true });
