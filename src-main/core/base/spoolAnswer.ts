/** The outcome of a page's upload of bytes, which the host answers to the page. */
export type SpoolAnswer = 'kept' | 'refused' | 'unknown' | 'busy' | 'locked';
