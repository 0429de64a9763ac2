/**
 * What may become markup or program text in the page (Trusted Types, hosts/csp.ts).
 *
 * Without it a text of the service that reaches `innerHTML` through a library's mistake would become markup. Under
 * it such a text stays a text, which is all that the map's attributions are; no text becomes a script; and a worker
 * starts from an address of the page's own. Vue's own policy takes only what its compiler wrote.
 */
const asText = (markup: string): string => markup.replaceAll('<', '&lt;');

function ownAddress(address: string): string {
  if (new URL(address, document.baseURI).origin !== location.origin) {
    throw new TypeError('A script of another origin was refused');
  }
  return address;
}

window.trustedTypes?.createPolicy('default', { createHTML: asText, createScriptURL: ownAddress });
