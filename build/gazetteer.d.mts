/** Where the bundled gazetteer lies. */
export const gazetteerFile: string;
/** Its text, made of its sources. */
export function buildGazetteer(): Promise<string>;
