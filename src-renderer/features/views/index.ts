// What other features use of views. They import nothing else of it.
export { resetLayout } from './layoutStore.ts';
export { packagesOfView } from './viewPackages.ts';
export { useViews } from './viewsStore.ts';
