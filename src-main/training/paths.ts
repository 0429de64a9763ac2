/** Where the training service has what the interface leaves open, and what it names. */
export const paths = {
  evidence: '/evidence',
  storage: '/storage',
  approve: '/admin/missions/approve',
  reject: '/admin/missions/reject',
  pending: '/admin/missions/pending',
  events: '/events',
} as const;
