export function executableIn(folder: string): string;
export function makeDrivable(from: string, to: string): Promise<string>;
