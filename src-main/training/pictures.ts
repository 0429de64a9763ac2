import pictures from '../../build/assets/training/pictures.json' with { type: 'json' };

/** A picture or a video that a drone could have taken (data/README.md says where they are from). */
export interface SeenFile {
  readonly mediaType: string;
  readonly ending: string;
  readonly bytes: Uint8Array;
}

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'video/webm': 'webm',
};

let read: readonly SeenFile[] | null = null;

/** All of them, decoded when the first is asked for. */
export function seenFiles(): readonly SeenFile[] {
  read ??= pictures.map(({ mediaType, data }) => ({
    mediaType,
    ending: endings[mediaType] ?? 'bin',
    bytes: new Uint8Array(Buffer.from(data, 'base64')),
  }));
  return read;
}
