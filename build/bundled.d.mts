import type { Plugin } from 'vite';

type Bundle = 'main' | 'preload' | 'renderer';

export function packageFolderOf(id: string): string | null;
export function bundledPackages(): {
  of(bundle: Bundle): Plugin;
  inside(bundle: Bundle): Plugin;
};
