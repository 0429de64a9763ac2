import appearance from './appearance.json';
import commands from './commands.json';
import common from './common.json';
import coordinates from './coordinates.json';
import exports from './exports.json';
import help from './help.json';
import log from './log.json';
import timeline from './timeline.json';
import views from './views.json';

/** The page's words in English, one file per area; the other languages have the same keys. */
export default { appearance, commands, common, coordinates, exports, help, log, timeline, views };
