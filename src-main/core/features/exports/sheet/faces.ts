import inter from './faces/inter.json' with { type: 'json' };

export type Face = keyof typeof inter;

/** A font file (WOFF) as base64, and for which face of text it is. */
export interface FaceFile {
  readonly name: string;
  readonly face: Face;
  readonly base64: string;
  /** It comes in one weight only, so that strong text is drawn with an outline. */
  readonly single: boolean;
}

/** Scripts that Inter does not have. Each is read only for a sheet that has a character of it. */
const others: readonly {
  readonly script: RegExp;
  readonly load: () => Promise<{ default: { font: string } }>;
}[] = [
  {
    script: /\p{Script=Arabic}/u,
    load: () => import('./faces/arabic.json', { with: { type: 'json' } }),
  },
  {
    script: /\p{Script=Devanagari}/u,
    load: () => import('./faces/devanagari.json', { with: { type: 'json' } }),
  },
  {
    script: /\p{Script=Han}/u,
    load: () => import('./faces/han.json', { with: { type: 'json' } }),
  },
];

const faces: readonly Face[] = ['regular', 'strong'];

/** The font files that a text is set in, in the order in which a character is looked for in them. */
export async function facesFor(text: string): Promise<FaceFile[]> {
  const own = faces.flatMap((face) =>
    Object.entries(inter[face]).map(([script, base64]) => ({
      name: `${face}-${script}`,
      face,
      base64,
      single: false,
    })),
  );
  const wanted = others.filter(({ script }) => script.test(text));
  const loaded = await Promise.all(wanted.map(({ load }) => load()));
  const more = loaded.flatMap(({ default: { font } }, at) =>
    faces.map((face) => ({ name: `${face}-other-${at}`, face, base64: font, single: true })),
  );
  return [...own, ...more];
}
