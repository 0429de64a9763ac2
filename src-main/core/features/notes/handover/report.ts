/* eslint-disable words/literal-text -- English in every language: names of interfaces. */
import { createHash } from 'node:crypto';
import type { Note, ShiftEntry, Upload, Wording } from '../../../../../src-preload/contract/index.ts';
import { Formatter } from '../../../base/messages/formatter.ts';
import type { PhraseId } from '../../../base/messages/message.ts';
import { messageOfPlace } from '../../../base/places/placeMessages.ts';
import { towns } from '../../../base/places/towns.ts';
import type { IncidentRecord } from '../../../state/incident.ts';
import { Places } from '../../exports/index.ts';
import type { HandoverFacts, PinnedFacts } from './facts.ts';
import { foreign, Markup, markup } from './markup.ts';
import { completenessOf, deedOf } from './messages.ts';
import { style } from './style.ts';

/**
 * The handover report: one HTML file with nothing in it that runs or is fetched, to be read in any browser
 * and printed; in the words of the page that asked for it. Everything that is not the console's own words is
 * escaped and keeps its direction.
 */
export const handoverReport = (
  facts: HandoverFacts,
  wording: Wording | null,
  picture: Uint8Array | null,
): string => new Report(facts, wording, picture).html();

class Report {
  readonly #facts: HandoverFacts;
  readonly #formatter: Formatter;
  readonly #places: Places;
  readonly #picture: Uint8Array | null;

  constructor(facts: HandoverFacts, wording: Wording | null, picture: Uint8Array | null) {
    this.#facts = facts;
    this.#picture = picture;
    this.#formatter = new Formatter(wording, facts.zone);
    this.#places = new Places(wording?.places ?? null);
  }

  html(): string {
    const { madeAt, training, version } = this.#facts;
    const { language, direction } = this.#formatter;
    const hash = createHash('sha256').update(style).digest('base64');
    const policy = `default-src 'none';${this.#picture === null ? '' : ' img-src data:;'} style-src 'sha256-${hash}'`;
    const title = this.#message('handover.title');
    return markup`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title} ${this.#time(madeAt)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${training ? markup`<p class="band">${this.#message('handover.training')}</p>` : null}
<h1>${title}</h1>
${this.#head()}
${this.#summary()}
${this.#unknownDecisions()}
${this.#openIncidents()}
${this.#map()}
${this.#alarms()}
${this.#uploads()}
${this.#pinned()}
${this.#otherNotes()}
${this.#log()}
${this.#audit()}
<p class="quiet">${this.#message('handover.made', { version })}</p>
</body>
</html>
`.toString();
  }

  #message(...phrase: Parameters<Formatter['format']>): string {
    return this.#formatter.format(...phrase);
  }

  #time(at: number): string {
    return this.#formatter.instant(at);
  }

  #heading(id: PhraseId): Markup {
    return markup`<h2>${this.#message(id)}</h2>`;
  }

  #table(headings: readonly PhraseId[], rows: readonly Markup[]): Markup {
    return markup`<table><thead><tr>${headings.map((id) => markup`<th scope="col">${this.#message(id)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
  }

  /** A severity or a status, in the report's language where the console knows it. */
  #word(word: string): Markup | string {
    return this.#formatter.known(word) ?? foreign(word);
  }

  #head(): Markup {
    const { shift, deployment, operators, successor, connection, session, damaged, madeAt } = this.#facts;
    const api = (name: string, { state, since }: typeof connection.infrastructure): Markup =>
      markup`<p>${this.#message(`handover.connections.${state}`, { api: name, since: this.#time(since) })}</p>`;
    const reached = [
      api('Infrastructure API', connection.infrastructure),
      api('Coordination API', connection.coordination),
    ];
    const { folded } = shift;
    return markup`<dl>
<dt>${this.#message('handover.shift')}</dt><dd>${this.#time(shift.startedAt)} – ${this.#time(madeAt)}</dd>
<dt>${this.#message('handover.operators')}</dt><dd>${operators.map((name) => markup`<p>${foreign(name)}</p>`)}</dd>
${
  successor === ''
    ? null
    : markup`<dt>${this.#message('handover.successor')}</dt><dd>${foreign(successor)}</dd>
`
}<dt>${this.#message('handover.deployment')}</dt><dd>${foreign(deployment.name)} <span class="quiet">${foreign(deployment.host)}</span></dd>
<dt>${this.#message('handover.data')}</dt><dd>${completenessOf(this.#facts, this.#formatter)}</dd>
<dt>${this.#message('handover.connection')}</dt><dd>${reached}<p>${this.#message(`handover.sessions.${session}`)}</p></dd>
</dl>
<p class="quiet">${this.#message('handover.local')} ${this.#message('handover.handleWithCare')}</p>
${folded > 0 ? markup`<p><strong>${this.#message('handover.folded', { n: folded })}</strong></p>` : null}
${damaged > 0 ? markup`<p><strong>${this.#message('handover.damaged', { n: damaged })}</strong></p>` : null}`;
  }

  #summary(): Markup | null {
    const { summary } = this.#facts;
    if (summary === '') return null;
    return markup`${this.#heading('handover.summaryHeading')}
<div class="note"><p dir="auto">${summary}</p></div>`;
  }

  #unknownDecisions(): Markup | null {
    const { unknownDecisions: decisions } = this.#facts;
    if (decisions.length === 0) return null;
    const rows = decisions.map(
      ({ missionId, decision, at }) =>
        markup`<tr><td><strong>${this.#message(`handover.unknownDecision.${decision}`)}</strong></td><td><code>${foreign(missionId)}</code></td><td class="time">${this.#time(at)}</td></tr>`,
    );
    const columns = ['decision', 'mission', 'time'] as const;
    return markup`<section class="loud">${this.#heading('handover.unknownHeading')}
<p><strong>${this.#message('handover.unknown', { n: decisions.length })}</strong></p>
${this.#table(
  columns.map((name) => `handover.columns.${name}` as const),
  rows,
)}</section>`;
  }

  #openIncidents(): Markup {
    const { critical, unranked, high, shown } = this.#facts.open;
    const heading = this.#heading('handover.openHeading');
    if (shown.length === 0) return markup`${heading}<p>${this.#message('handover.openNone')}</p>`;
    const first = this.#message('handover.openFirst', { shown: shown.length });
    const columns = ['severity', 'type', 'status', 'created', 'place', 'id'] as const;
    const rows = shown.map(
      (record) =>
        markup`<tr><td>${this.#word(record.severity)}</td><td>${foreign(record.incidentType)}</td><td>${this.#word(record.status)}</td><td>${this.#time(record.createdAt)}</td><td>${this.#place(record)}</td><td><code>${foreign(record.id)}</code></td></tr>`,
    );
    const counts = [
      this.#message('handover.openCounts', { critical, high }),
      ...(unranked > 0 ? [this.#message('handover.openUnranked', { unranked })] : []),
      ...(critical + unranked + high > shown.length ? [first] : []),
    ];
    return markup`${heading}<p>${counts.join(' ')}</p>
${this.#table(
  columns.map((name) => `handover.columns.${name}` as const),
  rows,
)}`;
  }

  #map(): Markup {
    const heading = this.#heading('handover.mapHeading');
    if (this.#picture === null) return markup`${heading}<p>${this.#message('handover.noMap')}</p>`;
    const words = this.#message('handover.mapShown');
    const png = Buffer.from(this.#picture).toString('base64');
    return markup`${heading}<figure><img alt="${words}" src="data:image/png;base64,${png}"><figcaption class="quiet">${words}</figcaption></figure>`;
  }

  /** As seen from the nearest town, in decimal degrees, and as the page writes places. */
  #place({ location }: IncidentRecord): Markup | string {
    if (location === null) return this.#message('handover.noPlace');
    const shown = this.#places.asShown(location);
    const place = messageOfPlace(towns.nearest(location), this.#formatter.language);
    return markup`${this.#formatter.said(place.text, place)}. <bdo dir="ltr">${this.#places.degrees(location)}</bdo>${shown === null ? null : markup` <bdo dir="ltr">${shown}</bdo>`}`;
  }

  #alarms(): Markup {
    const { alarms } = this.#facts;
    const heading = this.#heading('handover.alarmsHeading');
    if (alarms.length === 0) return markup`${heading}<p>${this.#message('handover.alarmsNone')}</p>`;
    const rows = alarms.map(
      ({ at, sentence, phrase }) =>
        markup`<tr><td class="time">${this.#time(at)}</td><td>${foreign(this.#formatter.said(sentence, phrase))}</td></tr>`,
    );
    return markup`${heading}${this.#table(['handover.columns.time', 'handover.columns.alarm'], rows)}`;
  }

  #audit(): Markup | null {
    const { count: n, state } = this.#facts.audit;
    if (state === 'unknown') return null;
    const { auditHash } = this.#facts;
    const hash =
      auditHash === null
        ? null
        : markup`<p class="quiet">${this.#message('handover.auditHash', { n })} <bdo dir="ltr">${auditHash}</bdo></p>`;
    return markup`<p>${this.#message(state === 'intact' ? 'handover.auditIntact' : 'handover.auditDamaged', { n })}</p>${hash}`;
  }

  #uploads(): Markup {
    const { unsent, total } = this.#facts.uploads;
    const heading = this.#heading('handover.uploadsHeading');
    if (total === 0) return markup`${heading}<p>${this.#message('handover.uploadsNone')}</p>`;
    const first = this.#message('handover.uploadsFirst', { shown: unsent.length, total });
    const why = ({ why: text, phrases }: Upload): string =>
      this.#formatter.said(text ?? '', phrases.sentence);
    const rows = unsent.map(
      (upload) =>
        markup`<tr><td>${this.#message(`handover.uploadStates.${upload.state}`)}</td><td>${foreign(upload.fileName)}</td><td>${foreign(why(upload))}</td></tr>`,
    );
    const columns = ['state', 'file', 'why'] as const;
    return markup`${heading}${total > unsent.length ? markup`<p>${first}</p>` : null}
${this.#table(
  columns.map((name) => `handover.columns.${name}` as const),
  rows,
)}`;
  }

  #note({ text, username, at, changedAt }: Note): Markup {
    const time = this.#time(at);
    const when =
      changedAt === null
        ? time
        : this.#message('handover.noteChanged', { time, changed: this.#time(changedAt) });
    return markup`<div class="note"><p dir="auto">${text}</p><p class="quiet">${foreign(username)} · ${when}</p></div>`;
  }

  #pinned(): Markup {
    const { pinned } = this.#facts;
    const heading = this.#heading('handover.pinnedHeading');
    if (pinned.length === 0) return markup`${heading}<p>${this.#message('handover.pinnedNone')}</p>`;
    return markup`${heading}${pinned.map((one) => this.#pin(one))}`;
  }

  #pin({ incidentId, incident, notes }: PinnedFacts): Markup {
    const id = markup`<code>${foreign(incidentId)}</code>`;
    const about = incident
      ? markup`<h3>${this.#word(incident.severity)} · ${foreign(incident.incidentType)} · ${this.#word(incident.status)}</h3>
<p class="quiet">${this.#time(incident.createdAt)} · ${this.#place(incident)} · ${id}</p>`
      : markup`<h3>${id}</h3><p class="quiet">${this.#message('handover.notKnown')}</p>`;
    return markup`<section>${about}${notes.map((note) => this.#note(note))}</section>`;
  }

  #otherNotes(): Markup | null {
    const { shown, total } = this.#facts.otherNotes;
    if (total === 0) return null;
    const first = this.#message('handover.otherNotesFirst', { shown: shown.length, total });
    return markup`${this.#heading('handover.otherNotesHeading')}
${total > shown.length ? markup`<p>${first}</p>` : null}
${shown.map((note) => markup`<section><h3><code>${foreign(note.incidentId)}</code></h3>${this.#note(note)}</section>`)}`;
  }

  #log(): Markup {
    const { entries } = this.#facts;
    const heading = this.#heading('handover.logHeading');
    if (entries.length === 0) return markup`${heading}<p>${this.#message('handover.logNone')}</p>`;
    const columns = ['time', 'who', 'what', 'about'] as const;
    return markup`${heading}${this.#table(
      columns.map((name) => `handover.columns.${name}` as const),
      entries.map((entry) => this.#line(entry)),
    )}`;
  }

  #line(entry: ShiftEntry): Markup {
    const { at, username, outcome, subject, incidentId } = entry;
    const deed = this.#message(deedOf(entry));
    const what = outcome?.endsWith('-unknown') === true ? markup`<strong>${deed}</strong>` : deed;
    const about = subject === null ? null : markup`<p>${foreign(subject)}</p>`;
    const id = incidentId === null ? null : markup`<code>${foreign(incidentId)}</code>`;
    return markup`<tr><td class="time">${this.#time(at)}</td><td>${foreign(username)}</td><td>${what}</td><td>${about}${id}</td></tr>`;
  }
}
