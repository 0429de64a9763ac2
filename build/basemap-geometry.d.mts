type Line = readonly (readonly number[])[];
export function cutPolygon(polygon: readonly Line[]): number[][][][];
export function cutLine(line: Line): number[][][];
export function roundLine(line: Line, decimals: number): number[][] | null;
export function roundPolygon(polygon: readonly Line[], decimals: number): number[][][] | null;
