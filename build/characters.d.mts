export function characters(folder: string, kind: RegExp): number[];
export function ranges(text: string): [from: number, to: number][];
