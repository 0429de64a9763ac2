import { ignored } from './ignored.mjs';
import { typedComponents, typedScripts } from './typed.mjs';

export default [
  { ignores: ignored },
  typedScripts('tsconfig.test.json', ['{src-*,test}/**/*.ts']),
  typedScripts('tsconfig.scripts.json', ['build/**/*.{ts,mjs}', '*.config.{ts,js,mjs}', 'test/run.mjs']),
  ...typedComponents('tsconfig.renderer.json', ['src-renderer/**/*.vue']),
];
