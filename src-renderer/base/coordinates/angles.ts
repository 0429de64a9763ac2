import type { Position } from '../../../src-preload/contract/index.ts';

/** How finely an angle is written: `full` is about a metre, `short` about 100 metres for a row of a list. */
export type Fineness = 'full' | 'short';

type Style = 'dd' | 'dm' | 'dms';

const decimals: Readonly<Record<Style, Readonly<Record<Fineness, number>>>> = {
  dd: { full: 5, short: 3 },
  dm: { full: 3, short: 1 },
  dms: { full: 1, short: 0 },
};

/** One angle, without its sign: `38.82220°`, `38°49.332′`, `38°49′19.9″`. */
function angleText(degrees: number, style: Style, fineness: Fineness): string {
  const digits = decimals[style][fineness];
  // Rounded in its smallest part first: 59.9996 minutes carry over and are never written as 60.
  const parts = style === 'dd' ? 1 : style === 'dm' ? 60 : 3_600;
  const scale = 10 ** digits;
  const smallest = Math.round(Math.abs(degrees) * parts * scale);
  const whole = (of: number): number => Math.floor(smallest / (of * scale));
  const last = (modulo: number): string =>
    ((smallest % (modulo * scale)) / scale).toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, '0');
  switch (style) {
    case 'dd':
      return `${(smallest / scale).toFixed(digits)}°`;
    case 'dm':
      return `${whole(60)}°${last(60)}′`;
    case 'dms':
      return `${whole(3_600)}°${String(whole(60) % 60).padStart(2, '0')}′${last(60)}″`;
  }
}

export const latitudeText = (latitude: number, style: Style, fineness: Fineness = 'full'): string =>
  `${angleText(latitude, style, fineness)} ${latitude < 0 ? 'S' : 'N'}`;

export const longitudeText = (longitude: number, style: Style, fineness: Fineness = 'full'): string =>
  `${angleText(longitude, style, fineness)} ${longitude < 0 ? 'W' : 'E'}`;

interface Angle {
  readonly negative: boolean;
  readonly signed: boolean;
  readonly parts: readonly string[];
  readonly hemisphere: string | null;
}

/**
 * Latitude and longitude as people type them, latitude first unless letters or sizes say otherwise. Null for
 * what is no such pair. Understands decimal commas (`33,3 44,4`), marks of every kind, colons, letters before or
 * behind, and the run-together form of flight plans (`3320N04424E`).
 */
export function parseAngles(text: string): Position | null {
  const angles = readAngles(tokensOf(cleaned(text)));
  if (angles?.length !== 2) return null;
  const [first, second] = angles as [Angle, Angle];
  const order = orderOf(first, second);
  if (order === null) return null;
  const [latitudeAngle, longitudeAngle] = order;
  const latitude = degreesOf(latitudeAngle, 90);
  const longitude = degreesOf(longitudeAngle, longitudeAngle.hemisphere === null ? 360 : 180);
  if (latitude === null || longitude === null) return null;
  return { latitude, longitude: onGlobe(longitude) };
}

/** A longitude of a whole turn, from -180 to 180. */
function onGlobe(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}

function cleaned(text: string): string {
  let plain = text
    .toLowerCase()
    .replace(/[−–—]/g, '-')
    .replace(/\blat(?:itude)?\b[:=.]?|\b(?:lon|lng|long)(?:gitude|itude)?\b[:=.]?/g, ' ')
    .replace(/north/g, 'n')
    .replace(/south/g, 's')
    .replace(/east/g, 'e')
    .replace(/west/g, 'w')
    .replace(/(\d)\s*d\s*(\d+(?:[.,]\d+)?)\s*m\s*(\d+(?:[.,]\d+)?)\s*s/g, '$1°$2′$3″')
    .replace(/[°º˚]|deg(?:rees?)?|(?<=\d)\s*d(?![a-z])/g, '°')
    .replace(/″|"|”|“|''|′′|’’|sec(?:onds?)?/g, '″')
    .replace(/[′'’‘´`]|min(?:utes?)?|(?<=\d)\s*m(?![a-z])/g, '′')
    .replace(/:/g, ' ');
  // A dash between digits is a sign only where no letter says the hemisphere: 33-20-03N.
  if (/[nsew]/.test(plain)) plain = plain.replace(/(?<=\d)-(?=\d)/g, ' ');
  // A comma is a decimal one where every number has one and something else divides the two.
  const commas = plain.match(/\d,\d/g)?.length ?? 0;
  const divided = /\d,\d.*(?:[\snsew;/°′″]|, )\S*\d+,\d/.test(plain);
  return !plain.includes('.') && commas > 0 && divided ? plain.replace(/(\d),(?=\d)/g, '$1.') : plain;
}

const token = /([+-]?\d+(?:\.\d+)?)|([nsew])|([°′″])|([,;/|])|\s+|(.)/g;

type Token =
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'letter'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string }
  | { readonly kind: 'divider'; readonly text: string };

/** Null when something stands in the text that belongs to no angle. */
function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (const [, number, letter, mark, divider, other] of text.matchAll(token)) {
    if (other !== undefined && !'()[]'.includes(other)) return null;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (letter !== undefined) tokens.push({ kind: 'letter', text: letter });
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
    else if (divider !== undefined) tokens.push({ kind: 'divider', text: divider });
  }
  return tokens;
}

function readAngles(tokens: readonly Token[] | null): readonly Angle[] | null {
  if (tokens === null) return null;
  const letterLeads = tokens[0]?.kind === 'letter';
  const angles: Angle[] = [];
  let numbers: string[] = [];
  let hemisphere: string | null = null;
  const close = (): void => {
    const [first] = numbers;
    if (first !== undefined) angles.push(angleOf(numbers, hemisphere));
    numbers = [];
    hemisphere = null;
  };
  tokens.forEach(({ kind, text }, at) => {
    switch (kind) {
      case 'number': {
        const opens = tokens[at + 1]?.text === '°' || /^[+-]/.test(text);
        if (opens && numbers.length > 0) close();
        numbers.push(text);
        break;
      }
      case 'letter':
        if (letterLeads) close();
        hemisphere = text;
        if (!letterLeads) close();
        break;
      case 'divider':
        if (numbers.length > 0) close();
        break;
      case 'mark':
        break;
    }
  });
  const dangling = hemisphere !== null && numbers.length === 0;
  close();
  return dangling ? null : halved(angles);
}

const angleOf = (numbers: readonly string[], hemisphere: string | null): Angle => ({
  negative: numbers[0]?.startsWith('-') ?? false,
  signed: /^[+-]/.test(numbers[0] ?? ''),
  parts: numbers.map((number) => number.replace(/^[+-]/, '')),
  hemisphere,
});

/** Numbers that nothing divides are two angles of equally many parts. */
function halved(angles: readonly Angle[]): readonly Angle[] {
  const [only] = angles;
  if (angles.length !== 1 || only === undefined || only.hemisphere !== null) return angles;
  const { parts } = only;
  if (parts.length % 2 !== 0 || parts.length > 6) return angles;
  const middle = parts.length / 2;
  return [
    { ...only, parts: parts.slice(0, middle) },
    { negative: false, signed: false, hemisphere: null, parts: parts.slice(middle) },
  ];
}

const isLatitude = ({ hemisphere }: Angle): boolean => hemisphere === 'n' || hemisphere === 's';
const isLongitude = ({ hemisphere }: Angle): boolean => hemisphere === 'e' || hemisphere === 'w';

function orderOf(first: Angle, second: Angle): readonly [latitude: Angle, longitude: Angle] | null {
  if (isLongitude(first) || isLatitude(second)) {
    return isLatitude(first) || isLongitude(second) ? null : [second, first];
  }
  // Beyond 90 a number is no latitude: the text begins with the longitude.
  if (
    !isLatitude(first) &&
    Number(first.parts[0]) > 90 &&
    Number(second.parts[0]) <= 90 &&
    !isLongitude(second)
  )
    return [second, first];
  return [first, second];
}

function degreesOf({ negative, signed, parts, hemisphere }: Angle, most: number): number | null {
  if (signed && hemisphere !== null) return null;
  const [degrees = NaN, minutes = 0, seconds = 0] = apart(parts, hemisphere).map(Number);
  const wholeUntilLast = parts.slice(0, -1).every((part) => !part.includes('.'));
  if (parts.length > 3 || !wholeUntilLast || minutes >= 60 || seconds >= 60) return null;
  const value = degrees + minutes / 60 + seconds / 3_600;
  if (!(value <= most)) return null;
  const below = negative || hemisphere === 's' || hemisphere === 'w';
  return below ? -value : value;
}

/** `332003` of a latitude, `0442413` of a longitude: degrees, minutes and seconds run together. */
function apart(parts: readonly string[], hemisphere: string | null): readonly string[] {
  const [only = ''] = parts;
  if (parts.length !== 1 || hemisphere === null) return parts;
  const width = hemisphere === 'n' || hemisphere === 's' ? 2 : 3;
  const match = /^(\d+?)(\d{2})(\d{2})?(\.\d+)?$/.exec(only);
  const whole = only.split('.')[0]?.length ?? 0;
  if (match === null || (whole !== width + 2 && whole !== width + 4)) return parts;
  const fraction = only.slice(whole);
  const minutes = only.slice(width, width + 2);
  if (whole === width + 2) return [only.slice(0, width), minutes + fraction];
  return [only.slice(0, width), minutes, only.slice(width + 2, whole) + fraction];
}
