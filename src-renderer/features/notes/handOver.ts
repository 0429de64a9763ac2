import { shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import {
  failed,
  handoverReportSchema,
  ok,
  type Failure,
  type Handover,
  type PaperFormat,
  type Result,
  type VerbReply,
} from '../../../src-preload/contract/index.ts';
import { fetchFile, saveFile } from '../../base/bridge/getFile.ts';
import { putFile } from '../../base/bridge/putFile.ts';
import { useCommand } from '../../base/command.ts';
import { pageFailure } from '../../base/failure.ts';
import { language } from '../../i18n/index.ts';
import { useBridge } from '../../base/stores/bridge.ts';
import { useCoordinates } from '../../base/stores/coordinates.ts';
import { useMapPicture } from '../../base/stores/mapPicture.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { isUnknown, lineWords } from './logText.ts';

const notSaved = pageFailure('bridge-lost', 'notes.notSaved', 'notes.notSavedRemedy');
const noDraft: Pick<Handover, 'summary' | 'successor'> = { summary: '', successor: '' };

type Report = NonNullable<VerbReply<'handOver'>['report']>;

interface HandingOver {
  readonly handingOver: ComputedRef<boolean>;
  /** What is being typed for the next operator. */
  readonly handoverDraft: ShallowRef<Pick<Handover, 'summary' | 'successor'>>;
  /** What the report is given as; `pdf` is printed where the browser does that. */
  readonly reportFormat: ShallowRef<PaperFormat>;
  /** Whether the report of the last handover was saved, whatever else went wrong. */
  readonly reportSaved: ShallowRef<boolean>;
  /** Hands over and gives the report to the operator. @returns whether all of that is done; else `failure` says why. */
  handOver(): Promise<boolean>;
}

/** A shift that goes to the next operator: what is said with it, and its report. */
export function useHandOver(failure: ShallowRef<Failure | null>): HandingOver {
  const { verbs } = useBridge();
  const mirror = useMirror();
  const mapPicture = useMapPicture();
  const { busy: handingOver, alone } = useCommand(failure);
  const reportSaved = shallowRef(false);
  const reportFormat = shallowRef<PaperFormat>('html');
  const handoverDraft = shallowRef(noDraft);
  const give = useReport(reportFormat);

  async function handOver(): Promise<Result<null>> {
    reportSaved.value = false;
    // As it is while the operator hands over; a report without its map is better than none.
    const map = mirror.policy?.exports === false ? null : await mapPicture.take();
    const handed = await verbs.handOver({ ...handoverDraft.value, language: language.value });
    if (!handed.ok) return handed;
    const { report, notStored } = handed.value;
    const given = report === null ? ok(null) : await give(report, map);
    // Whether paper was printed, or a PDF saved, is not known yet.
    reportSaved.value = report !== null && given.ok && reportFormat.value === 'html';
    if (!given.ok) return given;
    return notStored === null ? ok(null) : failed(notStored);
  }

  return {
    handingOver,
    handoverDraft,
    reportFormat,
    reportSaved,
    handOver: async () => {
      const handed = await alone(handOver);
      if (handed?.ok === true) handoverDraft.value = noDraft;
      return handed?.ok === true;
    },
  };
}

/**
 * Writes the report as the operator wants it: a file that is given to the browser, or paper. The desktop host makes
 * a PDF and asks where to, which is an export like others: that is only begun.
 */
function useReport(
  format: ShallowRef<PaperFormat>,
): (report: Report, map: Blob | null) => Promise<Result<null>> {
  const bridge = useBridge();
  const mirror = useMirror();
  const coordinates = useCoordinates();

  async function savePdf(document: Blob): Promise<Result<null>> {
    const begun = await bridge.verbs.beginExport({
      subject: 'handover',
      format: 'pdf',
      incidents: 0,
      filters: '',
      byteOrderMark: false,
    });
    if (!begun.ok) return begun;
    return (await putFile(bridge, `spool/${begun.value.jobId}`, document)) ? ok(null) : failed(notSaved);
  }

  return async ({ exportId, fileName }, map) => {
    try {
      const facts = await fetchFile(bridge, `export/${exportId}`);
      if (facts === null) return failed(notSaved);
      const report = handoverReportSchema.parse(JSON.parse(await facts.text()));
      const { dataAddress, handoverPaper, paperDocument, printPaper } = await import('../../print/index.ts');
      const paper = handoverPaper({
        report,
        zone: mirror.zone,
        coordinates: coordinates.onPaper,
        picture: map && (await dataAddress(map)),
        deed: (entry) => ({ text: lineWords(entry), isUnknown: isUnknown(entry) }),
      });
      if (format.value === 'html') saveFile(await paperDocument(paper), fileName);
      else if (mirror.app?.host === 'browser') await printPaper(paper);
      else return await savePdf(await paperDocument(paper));
      return ok(null);
    } catch {
      return failed(notSaved);
    }
  };
}
