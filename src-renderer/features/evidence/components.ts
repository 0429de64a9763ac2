// Components that other parts of the page show. They import no other feature's list.
export { default as EvidenceThumbnail } from './EvidenceThumbnail.vue';
export { default as EvidenceViewer } from './EvidenceViewer.vue';
