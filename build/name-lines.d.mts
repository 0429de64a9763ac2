type Line = readonly (readonly number[])[];
export function nameLines(lines: readonly Line[], zoom: number): number[][][];
