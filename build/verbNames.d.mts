import type { Plugin } from 'vite';

export function verbNamesOnly(): Plugin;
