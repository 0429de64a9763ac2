// Components that other features show. They import no other component of incidents.
export { default as NamedIncident } from './NamedIncident.vue';
