import './trustedTypes.ts';
import './zod.ts';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import '../build/assets/fonts/languageFonts.css';
import './design/base.css';
import './design/layout.css';
import './design/controls.css';
import { createApp } from 'vue';
import { createStores } from './app/accountStores.ts';
import App from './app/App.vue';
import { keepPresses } from './app/keepPresses.ts';
import { openBridge } from './base/bridge/open.ts';
import { i18n } from './i18n/index.ts';
import { bridgeKey } from './base/stores/bridge.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';

keepPresses(document);
createApp(App, { nonce }).use(createStores()).use(i18n).provide(bridgeKey, openBridge()).mount('#app');
