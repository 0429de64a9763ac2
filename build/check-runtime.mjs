/** Fails when the scripts run on another Node than the one whose major Electron embeds. */
import process from 'node:process';

const wanted = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major !== wanted) {
  process.stderr.write(
    `Node ${process.versions.node} runs the scripts; the console is built for Node ${wanted}. ` +
      `npm installs it for Linux and Windows; elsewhere install Node ${wanted} and try again.\n`,
  );
  process.exit(1);
}
process.stdout.write(`Node ${process.versions.node}\n`);
