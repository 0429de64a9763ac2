export function electronBinary(): string | null;
export function downloadElectron(node: string, silenceMs?: number): Promise<string | null>;
