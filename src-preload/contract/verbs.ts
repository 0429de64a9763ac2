import { z } from 'zod';
import { alarmSettingsSchema, mostNoteLength, snoozeMinutes } from './alarms.ts';
import { incidentChangeSchema } from './changes.ts';
import {
  bundleFileSchema,
  diagnosticsReportSchema,
  pageFactsSchema,
  selfTestStepSchema,
} from './diagnostics.ts';
import { evidenceItemSchema, verificationIdSchema } from './evidence.ts';
import { exportFormatSchema, exportJobIdSchema } from './exports.ts';
import { failureSchema } from './failure.ts';
import { handoverIdSchema, longestSuccessor, longestSummary } from './handovers.ts';
import { mapIdSchema as mapId } from './maps.ts';
import { auditEntrySchema, decidedSchema, missionDecisionSchema, missionIdSchema } from './missions.ts';
import { noteIdSchema, noteSchema, noteTextSchema, shiftEntrySchema } from './notes.ts';
import { nearbySchema, townSchema } from './places.ts';
import { languages, preferencesSchema } from './preferences.ts';
import { deploymentProposalSchema, incidentQuerySchema, trainingSwitchesSchema } from './state.ts';
import { uploadIdSchema as uploadId, uploadSchema } from './uploads.ts';
import { layoutSchema, positionSchema, savedViewSchema } from './views.ts';

const nothing = z.strictObject({});
const done = z.null();

/** Part of a list that is read page by page; rows that are not there are left out of the answer. */
const page = { from: z.int().min(0).max(10_000_000), count: z.int().min(1).max(200) };
const fileName = z.string().min(1).max(1024);
const bytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const cid = z.string().min(1).max(256);
/** A file that waits to be fetched once as `GET /export/{exportId}`. */
const fetched = z.strictObject({ exportId: z.string().regex(/^[0-9a-f]{32}$/), fileName: z.string() });
const uploadToken = z.string().min(1).max(8192);

/** One incident in full, for the detail panel; field names as on the wire (interface: IncidentResponse). */
export const incidentDetailSchema = z.strictObject({
  key: z.int(),
  id: z.string(),
  incidentType: z.string(),
  severity: z.string(),
  status: z.string(),
  /** As it came on the wire, and read as Unix milliseconds. */
  createdAtText: z.string(),
  createdAt: z.number(),
  evidenceCount: z.int(),
  blockchainRecords: z.array(z.string()),
  location: z
    .strictObject({ latitude: z.number(), longitude: z.number(), altitude: z.number().nullable() })
    .nullable(),
  /** Fields the specification does not name, as JSON text, in the order they came. */
  otherFields: z.array(z.strictObject({ name: z.string(), json: z.string() })),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  /** Server time since which complete reads no longer return it; null while they do. */
  notReturnedSince: z.number().nullable(),
});
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

/**
 * The verbs: everything a page may ask of the console. Each has a request schema, which every host
 * enforces before the console sees the call, and a reply schema. A verb answers a Result.
 */
export const verbs = {
  signIn: {
    request: z.strictObject({
      username: z.string().min(1).max(256),
      password: z.string().min(1).max(1024),
      /** The separate service token for uploads, where the deployment asks for one. Held in memory only. */
      uploadToken: uploadToken.optional(),
    }),
    reply: done,
  },
  signOut: { request: nothing, reply: done },
  /** A login now, where the service refuses its own tokens and the console rests between logins. */
  renewSession: { request: nothing, reply: done },
  lock: { request: nothing, reply: done },
  unlock: { request: z.strictObject({ password: z.string().min(1).max(1024) }), reply: done },

  /** Opens a vault that another password has sealed, and seals it with the one just signed in with. */
  openWithPrevious: { request: z.strictObject({ password: z.string().min(1).max(1024) }), reply: done },
  /** Puts a sealed vault aside unopened, listed with what it holds, and begins a new one. */
  startNewVault: { request: nothing, reply: done },
  /**
   * Destroys a vault of the chosen deployment and everything in it. `unsent` repeats how much is lost
   * that was never sent: another number than the vault's is refused.
   */
  eraseVault: {
    request: z.strictObject({ id: z.string().regex(/^[0-9a-f]{32}$/), unsent: z.int().min(0) }),
    reply: done,
  },
  dismissStorageNotice: { request: nothing, reply: done },

  chooseDeployment: { request: z.strictObject({ id: z.string().min(1).max(64) }), reply: done },
  /** `text` is the deployment file's own text: configuration, checked by schema, never stored unread. */
  proposeDeployment: {
    request: z.strictObject({ text: z.string().max(65_536) }),
    reply: deploymentProposalSchema,
  },
  confirmDeployment: { request: z.strictObject({ proposalId: z.string().max(64) }), reply: done },
  dismissDeployment: { request: z.strictObject({ proposalId: z.string().max(64) }), reply: done },
  removeDeployment: { request: z.strictObject({ id: z.string().min(1).max(64) }), reply: done },

  setIncidentQuery: { request: incidentQuerySchema, reply: done },
  refreshIncidents: { request: nothing, reply: done },
  readIncident: {
    request: z.strictObject({ key: z.int().min(0).max(4_294_967_295) }),
    reply: incidentDetailSchema,
  },
  /** The towns nearest to incidents; one that is not known, or has no location, is left out of the answer. */
  readNearby: {
    request: z.strictObject({
      keys: z.array(z.int().min(0).max(4_294_967_295)).min(1).max(200),
      language: z.enum(languages),
    }),
    reply: z.strictObject({ places: z.array(nearbySchema) }),
  },
  /**
   * Which town is nearest to each of many incidents, for grouping and searching all of them: `of` has the number of a
   * town for each key in order, -1 for one that is not known or has no location; `towns` names those that are in it.
   */
  readTowns: {
    request: z.strictObject({
      keys: z.array(z.int().min(0).max(4_294_967_295)).min(1).max(2_000),
      language: z.enum(languages),
    }),
    reply: z.strictObject({
      towns: z.array(townSchema).max(2_000),
      of: z.array(z.int().min(-1).max(65_534)).max(2_000),
    }),
  },
  checkHealth: { request: nothing, reply: done },

  setPreferences: { request: preferencesSchema.partial(), reply: done },

  /** Announces a map package; its bytes follow as `PUT /spool/{importId}`. */
  beginMapImport: {
    request: z.strictObject({
      fileName: z.string().min(1).max(255),
      bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    }),
    reply: z.strictObject({ importId: mapId }),
  },
  cancelMapImport: { request: z.strictObject({ importId: mapId }), reply: done },
  /** Takes a refused import off the list. */
  dismissMapImport: { request: z.strictObject({ importId: mapId }), reply: done },
  setMapPackage: { request: z.strictObject({ id: mapId, visible: z.boolean() }), reply: done },
  /** `to` is the place in the list of packages, 0 for the lowest. */
  moveMapPackage: { request: z.strictObject({ id: mapId, to: z.int().min(0).max(255) }), reply: done },
  /** Removes a package and its file, or forgets one whose file is missing. */
  removeMapPackage: { request: z.strictObject({ id: mapId }), reply: done },

  /** Reads the list of evidence to its end, also when the scope was missing before. */
  refreshEvidence: { request: nothing, reply: done },
  /** The items, newest first; of one incident, or all for null. */
  readEvidence: {
    request: z.strictObject({ incidentId: z.string().max(1024).nullable(), ...page }),
    reply: z.strictObject({ revision: z.int(), total: z.int(), items: z.array(evidenceItemSchema) }),
  },
  /** Opens a CID in the system's browser, at one of the gateways that the deployment allows. */
  openInGateway: { request: z.strictObject({ cid, gateway: z.string().max(512) }), reply: done },
  /** Announces a file to be held against a CID; its bytes follow as `PUT /spool/{verificationId}` and are not kept. */
  beginVerification: {
    request: z.strictObject({ cid, fileName, bytes }),
    reply: z.strictObject({ verificationId: verificationIdSchema }),
  },
  dismissVerification: { request: z.strictObject({ verificationId: verificationIdSchema }), reply: done },

  /** Announces a file to be sent; its bytes follow as `PUT /spool/{uploadId}`. */
  beginUpload: {
    request: z.strictObject({ fileName, bytes, incidentId: z.string().max(1024).nullable() }),
    reply: z.strictObject({ uploadId }),
  },
  /** The outbox in the order of sending. */
  readUploads: {
    request: z.strictObject(page),
    reply: z.strictObject({ revision: z.int(), total: z.int(), items: z.array(uploadSchema) }),
  },
  /** Holds one back, or all for null, or lets them go on. */
  pauseUpload: { request: z.strictObject({ id: uploadId.nullable(), paused: z.boolean() }), reply: done },
  /** `to` is the place in the list, 0 for the first. */
  moveUpload: { request: z.strictObject({ id: uploadId, to: z.int().min(0).max(10_000_000) }), reply: done },
  /** Stops it. What has not begun to leave is `failed` as cancelled; what has may have arrived, and needs a decision. */
  cancelUpload: { request: z.strictObject({ id: uploadId }), reply: done },
  /** Sends a failed one anew, under a new key. */
  retryUpload: { request: z.strictObject({ id: uploadId }), reply: done },
  /**
   * Answers what needs a decision. `check` looks for its CID in the list of evidence; `send` sends it,
   * under the same key where that is proven to be young enough, else under a new one.
   */
  decideUpload: {
    request: z.strictObject({ id: uploadId, decision: z.enum(['check', 'send']) }),
    reply: done,
  },
  /** Takes one off the list and destroys its bytes. `state` repeats what it is: another state is refused. */
  discardUpload: { request: z.strictObject({ id: uploadId, state: uploadSchema.shape.state }), reply: done },
  /** Takes all that were sent off the list. */
  discardSentUploads: { request: nothing, reply: done },
  /** The separate service token for uploads, after sign-in. Held in memory only. */
  giveUploadToken: { request: z.strictObject({ token: uploadToken }), reply: done },

  refreshMissions: { request: nothing, reply: done },
  /** Shows a mission whose id an operator typed, to be decided on. */
  lookUpMission: { request: z.strictObject({ missionId: missionIdSchema }), reply: done },
  /**
   * Sends one decision, once: calls made while it is under way share its answer. `again` sends the same
   * decision again after an unknown outcome, and is refused otherwise.
   */
  decideMission: {
    request: z.strictObject({
      missionId: missionIdSchema,
      decision: missionDecisionSchema,
      again: z.boolean(),
    }),
    reply: decidedSchema,
  },
  /** Finds out what became of a decision with an unknown outcome. */
  checkDecision: { request: z.strictObject({ missionId: missionIdSchema }), reply: decidedSchema },
  /** The audit list, the latest first. */
  readAudit: {
    request: z.strictObject(page),
    reply: z.strictObject({ total: z.int(), entries: z.array(auditEntrySchema) }),
  },
  /** Prepares the audit list as a file, to be fetched once as `GET /export/{exportId}`. */
  exportAudit: {
    request: nothing,
    reply: z.strictObject({ exportId: z.string().regex(/^[0-9a-f]{32}$/), fileName: z.string() }),
  },

  acknowledgeAlarm: {
    request: z.strictObject({ id: z.string().max(32), note: z.string().max(mostNoteLength).optional() }),
    reply: done,
  },
  /** Takes back what was acknowledged last, for 8 s. */
  undoAcknowledgement: { request: nothing, reply: done },
  /** Lets an alarm not call for so many minutes; null ends that. */
  snoozeAlarm: {
    request: z.strictObject({ id: z.string().max(32), minutes: z.literal(snoozeMinutes).nullable() }),
    reply: done,
  },
  /** Those that are named, or all that wait; one undo takes all of them back. */
  acknowledgeAlarms: {
    request: z.strictObject({ ids: z.array(z.string().max(32)).min(1).max(200).optional() }),
    reply: done,
  },
  /** The incidents of an alarm that waits or is past: as many as its `listed` says. */
  readAlarmIncidents: {
    request: z.strictObject({ id: z.string().max(32) }),
    reply: z.strictObject({ ids: z.array(z.string()).max(10_000) }),
  },
  /** Silences sound for so many minutes; null ends the silence. */
  muteAlarms: {
    request: z.strictObject({ minutes: z.union([z.literal(5), z.literal(30), z.literal(60)]).nullable() }),
    reply: done,
  },
  setAlarms: { request: alarmSettingsSchema.partial(), reply: done },

  /** An operator is there: starts the time to the automatic lock anew. At most one in ten seconds is of use. */
  noteActivity: { request: nothing, reply: done },
  /** Ends a kiosk. `code` is the administrator's; empty where none is set. Throttled. */
  leaveKiosk: { request: z.strictObject({ code: z.string().max(256) }), reply: done },

  /** How the page stands, to be brought back by the next sign-in of this account. */
  keepLayout: { request: layoutSchema.partial(), reply: done },
  /** Saves the present filters with a camera under a name; a name that is there already is replaced. */
  saveView: {
    request: z.strictObject({
      name: savedViewSchema.shape.name,
      camera: savedViewSchema.shape.camera,
      search: z.string().max(256),
    }),
    reply: savedViewSchema,
  },
  /** Gives a view another name; one that another view has is refused. */
  renameView: { request: savedViewSchema.pick({ id: true, name: true }), reply: done },
  removeView: { request: savedViewSchema.pick({ id: true }), reply: done },
  /** `to` is the place in the list, 0 for the first. */
  moveView: {
    request: z.strictObject({ id: savedViewSchema.shape.id, to: z.int().min(0).max(63) }),
    reply: done,
  },

  /** Prepares views as a file, to be fetched once as `GET /export/{exportId}`. */
  exportViews: {
    request: z.strictObject({ ids: z.array(savedViewSchema.shape.id).min(1).max(64) }),
    reply: fetched,
  },
  /** Takes in the views of such a file; one of a name that is there already is replaced. */
  importViews: {
    request: z.strictObject({ text: z.string().max(1_000_000) }),
    reply: z.strictObject({ added: z.int(), replaced: z.int(), unreadable: z.int() }),
  },
  /** Where the station itself stands; null for nowhere. */
  setStation: { request: z.strictObject({ position: positionSchema.nullable() }), reply: done },
  /**
   * A second window with the map or the list only. `url`: in the browser host the page opens it itself, with
   * a launch code of its own; null where the host has opened it.
   */
  openWindow: {
    request: z.strictObject({ show: z.enum(['map', 'list']) }),
    reply: z.strictObject({ url: z.string().max(2_048).nullable() }),
  },

  /** The keys of incidents with a blockchain record that holds this text, whatever its case. */
  findAnchors: {
    request: z.strictObject({ text: z.string().min(1).max(256) }),
    reply: z.strictObject({ keys: z.array(z.int()).max(10_000), more: z.boolean() }),
  },

  /** What changed of an incident since its details were opened last; with that it is seen. */
  seeChanges: {
    request: z.strictObject({ incidentId: z.string().min(1).max(1024) }),
    reply: z.strictObject({ isNew: z.boolean(), changes: z.array(incidentChangeSchema) }),
  },
  pinIncident: {
    request: z.strictObject({ incidentId: noteSchema.shape.incidentId, pinned: z.boolean() }),
    reply: done,
  },
  addNote: {
    request: z.strictObject({ incidentId: noteSchema.shape.incidentId, text: noteTextSchema }),
    reply: noteSchema,
  },
  changeNote: { request: z.strictObject({ id: noteIdSchema, text: noteTextSchema }), reply: noteSchema },
  removeNote: { request: z.strictObject({ id: noteIdSchema }), reply: done },
  /** Notes, the latest first; of one incident, or all for null; with `text` in them, whatever its case. */
  readNotes: {
    request: z.strictObject({
      incidentId: noteSchema.shape.incidentId.nullable(),
      text: z.string().max(256).default(''),
      ...page,
    }),
    reply: z.strictObject({ total: z.int(), notes: z.array(noteSchema) }),
  },
  /** Ends the present shift's log, if there is one, and begins another. */
  beginShift: { request: nothing, reply: done },
  /** The log of the present shift, the latest first. */
  readShift: {
    request: z.strictObject(page),
    reply: z.strictObject({ total: z.int(), entries: z.array(shiftEntrySchema) }),
  },
  /**
   * Hands the present shift over: stores what the next operator on this console sees at sign-in, prepares what the
   * report says, to be fetched once as `GET /export/{exportId}`, and ends the shift. Its log stays to be read, and
   * handed over again in place of the first time, until the next one begins. What is fetched is JSON of the
   * `handoverReportSchema`, with names of towns in `language`, and `fileName` is that of the page's file. `report` is null where the policy allows no exports. `notStored` says why the next operator does not see it;
   * where there is no report either, that is the failure.
   */
  handOver: {
    request: z.strictObject({
      summary: z.string().max(longestSummary),
      successor: z.string().max(longestSuccessor),
      language: z.enum(languages),
    }),
    reply: z.strictObject({ report: fetched.nullable(), notStored: failureSchema.nullable() }),
  },
  /** The operator has read a handover, or that one was taken over: it is not shown by itself again. */
  seeHandover: { request: z.strictObject({ id: handoverIdSchema }), reply: done },
  /** Notes in the handover and in the log of the shift who took over, and when. Each is taken over once. */
  takeOver: { request: z.strictObject({ id: handoverIdSchema }), reply: done },

  /**
   * Announces an export of so many incidents. Their keys follow as `PUT /spool/{jobId}`, little-endian
   * unsigned 32-bit numbers in the order of the list; for `html` and `pdf` a document follows there instead, one
   * HTML file. Nothing follows for `pdf` in the browser host, whose browser prints it. `filters` says in the
   * operator's words what was filtered.
   */
  beginExport: {
    request: z.strictObject({
      format: exportFormatSchema,
      incidents: z.int().min(0).max(10_000_000),
      filters: z.string().max(2_000),
      /** For `csv`: whether the file begins with the mark by which spreadsheets know UTF-8. */
      byteOrderMark: z.boolean(),
    }),
    reply: z.strictObject({ jobId: exportJobIdSchema }),
  },
  cancelExport: { request: z.strictObject({ jobId: exportJobIdSchema }), reply: done },
  /** Takes an export that has ended off the list. */
  dismissExport: { request: z.strictObject({ jobId: exportJobIdSchema }), reply: done },

  /** Settings that the desktop application has the system keep. */
  /** The next start draws with the graphics processor again. */
  retryGraphics: { request: nothing, reply: done },
  setStartAtLogin: { request: z.strictObject({ on: z.boolean() }), reply: done },

  /** Asks the server that the policy or the build names for a newer release. */
  checkForUpdate: { request: nothing, reply: done },
  /** Brings what `checkForUpdate` found into the private folder and checks it there. */
  takeUpdate: { request: nothing, reply: done },
  /** The same from a folder, as on a USB stick, which the system's own dialog asks for. */
  takeUpdateFromFolder: { request: nothing, reply: done },
  /** Installs what was taken. `version` repeats which: another one is refused. */
  installUpdate: { request: z.strictObject({ version: z.string().max(64) }), reply: done },
  /** Throws away what was taken, or a refusal. */
  dismissUpdate: { request: nothing, reply: done },

  readDiagnostics: { request: z.strictObject({ page: pageFactsSchema }), reply: diagnosticsReportSchema },
  runSelfTest: {
    request: z.strictObject({ page: pageFactsSchema }),
    reply: z.strictObject({ steps: z.array(selfTestStepSchema).max(32) }),
  },
  /** Makes the redacted bundle, to be fetched once as `GET /export/{exportId}`. */
  prepareBundle: {
    request: z.strictObject({ page: pageFactsSchema }),
    reply: z.strictObject({
      exportId: z.string().regex(/^[0-9a-f]{32}$/),
      fileName: z.string(),
      files: z.array(bundleFileSchema).max(32),
    }),
  },

  setTraining: { request: trainingSwitchesSchema.partial(), reply: done },
} as const satisfies Record<string, { request: z.ZodType; reply: z.ZodType }>;

export type VerbName = keyof typeof verbs;
export type VerbRequest<V extends VerbName> = z.input<(typeof verbs)[V]['request']>;
export type VerbReply<V extends VerbName> = z.output<(typeof verbs)[V]['reply']>;

export const verbNames = Object.keys(verbs) as VerbName[];
