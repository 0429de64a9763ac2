// What other features use of diagnostics. They import nothing else of it.
export { default as DiagnosticsAccess } from './DiagnosticsAccess.vue';
