import type { PolicyState, VerbName } from '../../../../src-preload/contract/index.ts';

interface Access {
  /** Whether a locked console answers it; `theme` if it asks for the theme and for nothing else. */
  readonly whileLocked: 'answered' | 'refused' | 'theme';
  /** Whether somebody has to be signed in. */
  readonly signedIn: boolean;
  /**
   * What the computer's policy has to allow for it; null for nothing. `hands`: it acts on the service, or
   * changes what is kept or heard, which a display on a wall never does.
   */
  readonly needs: 'exports' | 'hands' | null;
}

const refused: Access = { whileLocked: 'refused', signedIn: false, needs: null };
const operators: Access = { whileLocked: 'refused', signedIn: true, needs: null };
const handsOn: Access = { ...operators, needs: 'hands' };
const handsOnAnytime: Access = { ...refused, needs: 'hands' };
const always: Access = { whileLocked: 'answered', signedIn: false, needs: null };

/** Who may call what, for every verb: a new one does not compile before it is listed here. */
export const access: Readonly<Record<VerbName, Access>> = {
  signIn: refused,
  signOut: always,
  renewSession: operators,
  lock: refused,
  unlock: always,
  openWithPrevious: refused,
  startNewVault: refused,
  eraseVault: handsOnAnytime,
  dismissStorageNotice: refused,
  chooseDeployment: refused,
  proposeDeployment: handsOnAnytime,
  confirmDeployment: handsOnAnytime,
  dismissDeployment: refused,
  removeDeployment: handsOnAnytime,
  setIncidentQuery: handsOn,
  refreshIncidents: operators,
  readIncident: operators,
  readNearby: operators,
  readTowns: operators,
  checkHealth: refused,
  setPreferences: { whileLocked: 'theme', signedIn: false, needs: null },
  beginMapImport: handsOnAnytime,
  cancelMapImport: refused,
  dismissMapImport: refused,
  setMapPackage: handsOnAnytime,
  moveMapPackage: handsOnAnytime,
  removeMapPackage: handsOnAnytime,
  refreshEvidence: operators,
  readEvidence: operators,
  openInGateway: handsOn,
  beginVerification: handsOn,
  dismissVerification: operators,
  beginUpload: handsOn,
  readUploads: operators,
  pauseUpload: handsOn,
  moveUpload: handsOn,
  cancelUpload: handsOn,
  retryUpload: handsOn,
  decideUpload: handsOn,
  discardUpload: handsOn,
  discardSentUploads: handsOn,
  giveUploadToken: handsOn,
  refreshMissions: operators,
  lookUpMission: handsOn,
  decideMission: handsOn,
  checkDecision: handsOn,
  readAudit: operators,
  exportAudit: { ...operators, needs: 'exports' },
  acknowledgeAlarm: handsOn,
  acknowledgeAlarms: handsOn,
  undoAcknowledgement: handsOn,
  snoozeAlarm: handsOn,
  readAlarmIncidents: operators,
  muteAlarms: handsOn,
  setAlarms: handsOn,
  noteActivity: always,
  leaveKiosk: always,
  keepLayout: handsOn,
  saveView: handsOn,
  renameView: handsOn,
  removeView: handsOn,
  moveView: handsOn,
  exportViews: { ...operators, needs: 'exports' },
  importViews: handsOn,
  setStation: handsOn,
  openWindow: handsOn,
  findAnchors: operators,
  seeChanges: handsOn,
  pinIncident: handsOn,
  addNote: handsOn,
  changeNote: handsOn,
  removeNote: handsOn,
  readNotes: operators,
  beginShift: handsOn,
  readShift: operators,
  handOver: handsOn,
  seeHandover: handsOn,
  takeOver: handsOn,
  beginExport: { ...operators, needs: 'exports' },
  cancelExport: operators,
  dismissExport: operators,
  retryGraphics: refused,
  setStartAtLogin: refused,
  checkForUpdate: refused,
  takeUpdate: refused,
  takeUpdateFromFolder: refused,
  installUpdate: refused,
  dismissUpdate: refused,
  readDiagnostics: refused,
  runSelfTest: refused,
  prepareBundle: { ...refused, needs: 'exports' },
  setTraining: handsOnAnytime,
};

/** Whether a locked console answers this call. */
export function isAnsweredLocked(verb: VerbName, request: object): boolean {
  switch (access[verb].whileLocked) {
    case 'answered':
      return true;
    case 'theme':
      return Object.keys(request).every((name) => name === 'theme');
    case 'refused':
      return false;
  }
}

/** Whether the computer's policy lets this be called at all. */
export function isAllowed(verb: VerbName, policy: Pick<PolicyState, 'exports' | 'kiosk'>): boolean {
  switch (access[verb].needs) {
    case 'exports':
      return policy.exports;
    case 'hands':
      return policy.kiosk !== 'wallboard';
    case null:
      return true;
  }
}
