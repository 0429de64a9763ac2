import { isAbsolute, join } from 'node:path';

/** Where a Linux desktop looks for what it starts at login; a relative folder there is to be ignored. */
export function autostartPath(options: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}): string {
  const named = options.env['XDG_CONFIG_HOME'];
  const config = named && isAbsolute(named) ? named : join(options.home, '.config');
  return join(config, 'autostart', 'field-console.desktop');
}

/**
 * A program as the value of `Exec` (Desktop Entry Specification, "The Exec key"): quoted, what a
 * quotation reserves escaped, a percent sign doubled, and the whole escaped as a string value. Null
 * for a path with a control character, which no entry can hold.
 */
export function execValue(program: string): string | null {
  if ([...program].some((character) => character < ' ' || character === '\u007f')) return null;
  const quoted = `"${program.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return quoted.replaceAll('\\', '\\\\');
}

/** The entry that starts `program`; null where it cannot be written down. */
export function autostartEntry(program: string): string | null {
  const exec = execValue(program);
  if (exec === null) return null;
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Field Console',
    `Exec=${exec}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Whether an entry starts `program` and is not switched off in it, as desktops do it themselves. */
export function startsProgram(entry: string, program: string): boolean {
  const values = new Map<string, string>();
  let group = '';
  for (const line of entry.split('\n')) {
    const text = line.trim();
    if (text.startsWith('[')) group = text;
    const at = text.indexOf('=');
    if (group !== '[Desktop Entry]' || at < 1) continue;
    values.set(text.slice(0, at).trim(), text.slice(at + 1).trim());
  }
  const off = values.get('Hidden') === 'true' || values.get('X-GNOME-Autostart-enabled') === 'false';
  return !off && values.get('Exec') === execValue(program);
}
