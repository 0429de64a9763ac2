import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { PreloadBridge } from './contract/bridge.ts';
import {
  bridgeGlobal,
  linkChannel,
  pushChannel,
  subscribeChannel,
  unsubscribeChannel,
  verbChannel,
  windowChannel,
  type WindowWord,
} from './contract/channels.ts';
import type { Result } from './contract/failure.ts';
import type { Push } from './contract/pushes.ts';
import type { VerbName, VerbReply, VerbRequest } from './contract/verbs.ts';

// Only names and types of the contract come along: with its schemas this file would hold all of zod,
// and the schemas are enforced on the other side, where a page cannot reach them.
const call =
  <V extends VerbName>(verb: V) =>
  (request: VerbRequest<V>): Promise<Result<VerbReply<V>>> =>
    ipcRenderer.invoke(verbChannel(verb), request) as Promise<Result<VerbReply<V>>>;

const tellOfWindow = (word: WindowWord): void => ipcRenderer.send(windowChannel, word);

const bridge: PreloadBridge = {
  verbs: {
    signIn: call('signIn'),
    signOut: call('signOut'),
    renewSession: call('renewSession'),
    lock: call('lock'),
    unlock: call('unlock'),
    openWithPrevious: call('openWithPrevious'),
    startNewVault: call('startNewVault'),
    eraseVault: call('eraseVault'),
    dismissStorageNotice: call('dismissStorageNotice'),
    chooseDeployment: call('chooseDeployment'),
    proposeDeployment: call('proposeDeployment'),
    confirmDeployment: call('confirmDeployment'),
    dismissDeployment: call('dismissDeployment'),
    removeDeployment: call('removeDeployment'),
    setIncidentQuery: call('setIncidentQuery'),
    refreshIncidents: call('refreshIncidents'),
    readIncident: call('readIncident'),
    readNearby: call('readNearby'),
    readTowns: call('readTowns'),
    seeChanges: call('seeChanges'),
    checkHealth: call('checkHealth'),
    setPreferences: call('setPreferences'),
    beginMapImport: call('beginMapImport'),
    cancelMapImport: call('cancelMapImport'),
    dismissMapImport: call('dismissMapImport'),
    setMapPackage: call('setMapPackage'),
    moveMapPackage: call('moveMapPackage'),
    removeMapPackage: call('removeMapPackage'),
    refreshEvidence: call('refreshEvidence'),
    readEvidence: call('readEvidence'),
    openInGateway: call('openInGateway'),
    beginVerification: call('beginVerification'),
    dismissVerification: call('dismissVerification'),
    beginUpload: call('beginUpload'),
    readUploads: call('readUploads'),
    pauseUpload: call('pauseUpload'),
    moveUpload: call('moveUpload'),
    cancelUpload: call('cancelUpload'),
    retryUpload: call('retryUpload'),
    decideUpload: call('decideUpload'),
    discardUpload: call('discardUpload'),
    discardSentUploads: call('discardSentUploads'),
    giveUploadToken: call('giveUploadToken'),
    refreshMissions: call('refreshMissions'),
    lookUpMission: call('lookUpMission'),
    decideMission: call('decideMission'),
    checkDecision: call('checkDecision'),
    readAudit: call('readAudit'),
    exportAudit: call('exportAudit'),
    acknowledgeAlarm: call('acknowledgeAlarm'),
    acknowledgeAlarms: call('acknowledgeAlarms'),
    undoAcknowledgement: call('undoAcknowledgement'),
    snoozeAlarm: call('snoozeAlarm'),
    readAlarmIncidents: call('readAlarmIncidents'),
    muteAlarms: call('muteAlarms'),
    setAlarms: call('setAlarms'),
    noteActivity: call('noteActivity'),
    leaveKiosk: call('leaveKiosk'),
    keepLayout: call('keepLayout'),
    saveView: call('saveView'),
    renameView: call('renameView'),
    removeView: call('removeView'),
    moveView: call('moveView'),
    exportViews: call('exportViews'),
    importViews: call('importViews'),
    setStation: call('setStation'),
    openWindow: call('openWindow'),
    findAnchors: call('findAnchors'),
    pinIncident: call('pinIncident'),
    addNote: call('addNote'),
    changeNote: call('changeNote'),
    removeNote: call('removeNote'),
    readNotes: call('readNotes'),
    beginShift: call('beginShift'),
    readShift: call('readShift'),
    handOver: call('handOver'),
    seeHandover: call('seeHandover'),
    takeOver: call('takeOver'),
    beginExport: call('beginExport'),
    cancelExport: call('cancelExport'),
    dismissExport: call('dismissExport'),
    retryGraphics: call('retryGraphics'),
    setStartAtLogin: call('setStartAtLogin'),
    checkForUpdate: call('checkForUpdate'),
    takeUpdate: call('takeUpdate'),
    takeUpdateFromFolder: call('takeUpdateFromFolder'),
    installUpdate: call('installUpdate'),
    dismissUpdate: call('dismissUpdate'),
    readDiagnostics: call('readDiagnostics'),
    runSelfTest: call('runSelfTest'),
    prepareBundle: call('prepareBundle'),
    setTraining: call('setTraining'),
  },
  subscribe: (listener) => {
    // The event carries `sender`, which must not reach the page: only the push goes on.
    const forward = (_event: IpcRendererEvent, push: Push | Uint8Array): void => listener(push);
    ipcRenderer.on(pushChannel, forward);
    ipcRenderer.send(subscribeChannel);
    return () => {
      ipcRenderer.off(pushChannel, forward);
      ipcRenderer.send(unsubscribeChannel);
    };
  },
  answer: (message) => ipcRenderer.send(linkChannel, message),
  raise: () => tellOfWindow('raise'),
};

// A kiosk asks for the keyboard again when it loses it, but not from its own page's dialogs.
const tellOfChooser =
  (word: WindowWord) =>
  ({ target }: Event): void => {
    const { localName, type } = target as Partial<HTMLInputElement>;
    if (localName === 'input' && type === 'file') tellOfWindow(word);
  };
window.addEventListener('click', tellOfChooser('choosing'), { capture: true });
window.addEventListener('change', tellOfChooser('chosen'), { capture: true });
window.addEventListener('cancel', tellOfChooser('chosen'), { capture: true });

contextBridge.exposeInMainWorld(bridgeGlobal, bridge);
