import { open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import type { Seeded } from '../../../src-main/training/seeded.ts';
import { damage } from './mutations.ts';

/** How many kinds of harm there are to a file that stays where it is. */
export const harms = 5;

/** Does one of `kinds` (at least `harms`) kinds of harm to a file, or answers with which further kind was drawn. */
export async function harmFile(draw: Seeded, path: string, kinds: number): Promise<number | null> {
  const { size } = await stat(path);
  const at = draw.below(size + 1);
  const kind = draw.below(kinds);
  switch (kind) {
    case 0:
      await truncate(path, at);
      return null;
    case 1: {
      const bytes = await readFile(path);
      for (let left = 1 + draw.below(16); left > 0 && size > 0; left -= 1) {
        const place = draw.below(size);
        bytes[place] = (bytes[place] ?? 0) ^ (1 << draw.below(8));
      }
      await writeFile(path, bytes);
      return null;
    }
    case 2: {
      const file = await open(path, 'r+');
      const length = Math.min(size - at, 1 + draw.below(20_000));
      if (length > 0) await file.write(Buffer.alloc(length), 0, length, at);
      await file.close();
      return null;
    }
    case 3: {
      // A page from elsewhere, as a disk that wrote to the wrong place leaves it.
      const bytes = await readFile(path);
      const page = 4096 * (1 + draw.below(2));
      const pages = Math.max(1, Math.floor(size / page));
      const from = draw.below(pages) * page;
      bytes.copy(bytes, draw.below(pages) * page, from, Math.min(size, from + page));
      await writeFile(path, bytes);
      return null;
    }
    case 4:
      await writeFile(path, damage(await readFile(path), draw));
      return null;
    default:
      return kind;
  }
}
