/**
 * The `dir` of a field by what is typed into it: coordinates and words of the search keep their order also where
 * the page is read from right to left. An empty field, with its hint, runs as the page does.
 */
export const typedDirection = (text: string): 'auto' | undefined => (text === '' ? undefined : 'auto');
