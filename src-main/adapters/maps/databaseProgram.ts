/**
 * Where the program of the threads that read databases lies: beside this file in the sources, which
 * Node runs as they are; one folder up from the built chunks (electron.vite.config.ts).
 */
export const databaseProgram = new URL(
  import.meta.url.endsWith('.ts') ? './databaseWorker.ts' : '../mapDatabase.js',
  import.meta.url,
);
