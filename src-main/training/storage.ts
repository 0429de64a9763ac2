import { json, refusal, type StreamedRoute } from './answer.ts';
import type { Evidence } from './evidence.ts';
import { paths } from './paths.ts';
import { readUploadForm, type UploadForm } from './uploadForm.ts';

/** The part of the form that takes the id of the incident a file is evidence of. */
export const incidentField = 'incident_id';

/** One side effect of `POST /storage`. */
export interface Upload {
  readonly cid: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly account: string;
  readonly key: string | null;
}

/** The files that were taken, and the route that takes them. */
export class FileStorage {
  readonly #evidence: Evidence;
  /** Oldest first. */
  readonly uploads: Upload[] = [];

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  /** `POST /storage` (interface: multipart IPFS file upload). */
  route(): StreamedRoute {
    return {
      kind: 'streamed',
      method: 'POST',
      path: paths.storage,
      access: 'upload',
      receive: async ({ headers, account, key }, body) => {
        const form = await readUploadForm(headers, body);
        if (typeof form === 'string') return { refused: refusal(400, form) };
        return {
          effect: () => {
            this.#take(form, account ?? '', key);
            return json(201, { cid: form.cid, size: form.bytes, name: form.fileName });
          },
        };
      },
    };
  }

  #take(
    { cid, bytes, sha256, fileName, mediaType, fields }: UploadForm,
    account: string,
    key: string | null,
  ): void {
    const incidentId = fields[incidentField];
    this.uploads.push({ cid, bytes, sha256, fileName, fields, account, key });
    this.#evidence.receive({
      id: `ev-up-${String(this.uploads.length)}`,
      cid,
      ...(incidentId === undefined ? {} : { incident_id: incidentId }),
      file_name: fileName,
      media_type: mediaType,
      size: bytes,
      collected_by: account,
    });
  }
}
