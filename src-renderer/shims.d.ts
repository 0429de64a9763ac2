/** Lets plain `tsc` (the tests' project) read what imports a component; vue-tsc reads the file itself. */
declare module '*.vue' {
  import type { DefineComponent } from 'vue';
  const component: DefineComponent;
  export default component;
}

/** msgpackr's build without `new Function`, which the content security policy refuses; it ships no types. */
declare module 'msgpackr/index-no-eval' {
  export { Packr } from 'msgpackr';
}
