/** A file of views on its way in, and the names in it that are there already. */
export interface ViewsFile {
  readonly text: string;
  readonly replaces: readonly string[];
}

/** The names in a file of views, each once; none where it is no such file, which the console will say. */
export function namesInFile(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return [];
  }
  const entries = memberOf(value, 'views');
  if (!Array.isArray(entries)) return [];
  const names = entries.map((entry) => memberOf(entry, 'name'));
  return [...new Set(names.filter((name) => typeof name === 'string').map((name) => name.trim()))];
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
