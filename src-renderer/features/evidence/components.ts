// Components that other parts of the page show.
export { default as EvidenceViewer } from './EvidenceViewer.vue';
export { default as IncidentThumbnails } from './IncidentThumbnails.vue';
export { default as KeepDialog } from './KeepDialog.vue';
