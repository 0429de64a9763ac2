const incidentLink = 'field-console://incident/';
/** The id is percent-encoded. */
const form = /^field-console:\/\/incident\/([^/?#\s]{1,1024})$/;

/** A link that opens an incident in a console that knows it. */
export const linkToIncident = (id: string): string => `${incidentLink}${encodeURIComponent(id)}`;

/**
 * The incident's id in a link; null for any other text. Accepts exactly this form: a link may come from anywhere, and
 * can only name an id.
 */
export function readIncidentLink(link: string): string | null {
  const [, id] = form.exec(link) ?? [];
  try {
    return id === undefined ? null : decodeURIComponent(id);
  } catch {
    return null;
  }
}
