import { BellRing, Drone, HardDriveUpload, Images, MapPinned, NotebookPen, Route } from '@lucide/vue';
import type { Component } from 'vue';
import type { PanelName } from '../../src-preload/contract/index.ts';
import AlarmsPanel from '../features/alarms/AlarmsPanel.vue';
import DronesPanel from '../features/drones/DronesPanel.vue';
import DiagnosticsPanel from '../features/diagnostics/DiagnosticsPanel.vue';
import EvidencePanel from '../features/evidence/EvidencePanel.vue';
import IntegrationsPanel from '../features/health/IntegrationsPanel.vue';
import MapsPanel from '../features/maps/MapsPanel.vue';
import MissionsPanel from '../features/missions/MissionsPanel.vue';
import NotesPanel from '../features/notes/NotesPanel.vue';
import SettingsPanel from '../features/settings/SettingsPanel.vue';
import UploadsPanel from '../features/uploads/UploadsPanel.vue';
import IncidentsPanel from './panes/IncidentsPanel.vue';

interface Panel {
  readonly component: Component;
  /** Its mark among the rail's panels; null for one that is opened from elsewhere: the rail's foot, its menu, or the map. */
  readonly icon: Component | null;
  /** Whether all of it is the service's: that is drawn back while the service is not reached. */
  readonly ofService: boolean;
}

/** Every panel. Its name in the contract is its id in the layout; its title is the text `rail.panels.<name>`. */
export const panels: Readonly<Record<PanelName, Panel>> = {
  incidents: { component: IncidentsPanel, icon: MapPinned, ofService: true },
  drones: { component: DronesPanel, icon: Drone, ofService: true },
  integrations: { component: IntegrationsPanel, icon: null, ofService: false },
  evidence: { component: EvidencePanel, icon: Images, ofService: true },
  outbox: { component: UploadsPanel, icon: HardDriveUpload, ofService: false },
  missions: { component: MissionsPanel, icon: Route, ofService: true },
  alarms: { component: AlarmsPanel, icon: BellRing, ofService: false },
  log: { component: NotesPanel, icon: NotebookPen, ofService: false },
  maps: { component: MapsPanel, icon: null, ofService: false },
  settings: { component: SettingsPanel, icon: null, ofService: false },
  diagnostics: { component: DiagnosticsPanel, icon: null, ofService: false },
};
