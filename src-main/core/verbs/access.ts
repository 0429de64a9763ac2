import type { VerbName } from '../../../src-preload/contract/index.ts';

interface Access {
  /** Whether a locked console answers it; `theme` if it asks for the theme and for nothing else. */
  readonly whileLocked: 'answered' | 'refused' | 'theme';
  /** Whether somebody has to be signed in. */
  readonly signedIn: boolean;
}

const refused: Access = { whileLocked: 'refused', signedIn: false };
const operators: Access = { whileLocked: 'refused', signedIn: true };

/** Who may call what, for every verb: a new one does not compile before it is listed here. */
export const access: Readonly<Record<VerbName, Access>> = {
  signIn: refused,
  signOut: { whileLocked: 'answered', signedIn: false },
  lock: refused,
  unlock: { whileLocked: 'answered', signedIn: false },
  openWithPrevious: refused,
  startNewVault: refused,
  eraseVault: refused,
  dismissStorageNotice: refused,
  chooseDeployment: refused,
  proposeDeployment: refused,
  confirmDeployment: refused,
  dismissDeployment: refused,
  removeDeployment: refused,
  setIncidentQuery: operators,
  refreshIncidents: operators,
  readIncident: operators,
  checkHealth: refused,
  setPreferences: { whileLocked: 'theme', signedIn: false },
  beginMapImport: refused,
  cancelMapImport: refused,
  dismissMapImport: refused,
  setMapPackage: refused,
  moveMapPackage: refused,
  removeMapPackage: refused,
  refreshEvidence: operators,
  readEvidence: operators,
  openInGateway: operators,
  beginVerification: operators,
  dismissVerification: operators,
  beginUpload: operators,
  readUploads: operators,
  pauseUpload: operators,
  moveUpload: operators,
  cancelUpload: operators,
  retryUpload: operators,
  decideUpload: operators,
  discardUpload: operators,
  discardSentUploads: operators,
  giveUploadToken: operators,
  refreshMissions: operators,
  lookUpMission: operators,
  decideMission: operators,
  checkDecision: operators,
  readAudit: operators,
  exportAudit: operators,
  acknowledgeAlarm: operators,
  acknowledgeAlarms: operators,
  muteAlarms: operators,
  setAlarms: operators,
  setTraining: refused,
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
