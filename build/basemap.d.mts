/** Where the basemap's files lie, with a slash at the end. */
export const basemapFolder: string;
/** The text of each file by its name. */
export function buildBasemap(): Promise<Record<string, string>>;
