import { typedComponents, typedScripts } from './typed.mjs';

export default [
  { ignores: ['out/', 'dist/', 'coverage/', 'node_modules/', 'test/fixtures/', 'test-results/'] },
  typedScripts('tsconfig.test.json', ['{src-*,test}/**/*.ts']),
  typedScripts('tsconfig.scripts.json', ['build/**/*.{ts,mjs}', '*.config.{ts,js,mjs}', 'test/run.mjs']),
  ...typedComponents('tsconfig.renderer.json', ['src-renderer/**/*.vue']),
];
