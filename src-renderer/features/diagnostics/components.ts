// Components that other features show. They import no other component of diagnostics.
export { default as DiagnosticsAccess } from './DiagnosticsAccess.vue';
