export const townsFile: string;
export function buildTowns(): Promise<string>;
