// Components that other parts of the page show.
export { default as EvidenceViewer } from './EvidenceViewer.vue';
export { default as IncidentThumbnails } from './IncidentThumbnails.vue';
