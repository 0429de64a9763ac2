export function lakeName(name: string | null | undefined): string | null;
export function riverName(name: string | null | undefined): string | null;
