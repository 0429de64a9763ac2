import { createHash } from 'node:crypto';
import type { Note, ShiftEntry, Upload } from '../../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../../domain/incident.ts';
import type { HandoverFacts, PinnedFacts } from './facts.ts';
import { foreign, Markup, markup } from './markup.ts';
import { style } from './style.ts';
import { completenessOf, words } from './words.ts';

type Time = (at: number) => string;

/**
 * The handover report: one HTML file with nothing in it that runs or is fetched, to be read in any browser
 * and printed. Everything that is not the console's own words is escaped and keeps its direction.
 */
export function handoverReport(facts: HandoverFacts): string {
  const time = timesIn(facts.zone);
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${words.title} ${time(facts.madeAt)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${facts.training ? markup`<p class="band">${words.training}</p>` : null}
<h1>${words.title}</h1>
${head(facts, time)}
${unknownDecisions(facts, time)}
${openIncidents(facts, time)}
${alarms(facts, time)}
${uploads(facts)}
${pinned(facts, time)}
${otherNotes(facts, time)}
${log(facts, time)}
<p class="quiet">${words.made(facts.version)}</p>
</body>
</html>
`.toString();
}

/** Times in the zone that the console showed, each with its name. */
function timesIn(zone: HandoverFacts['zone']): Time {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return (at) => format.format(at);
}

function head(facts: HandoverFacts, time: Time): Markup {
  const { shift, deployment, operators, connection, session, damaged } = facts;
  const { infrastructure, coordination } = connection;
  const api = (name: string, { state, since }: typeof infrastructure): Markup =>
    markup`<p>${words.connectionIs(name, words.states[state], time(since))}</p>`;
  return markup`<dl>
<dt>${words.shift}</dt><dd>${time(shift.startedAt)} – ${time(facts.madeAt)}</dd>
<dt>${words.operators}</dt><dd>${operators.map((name) => markup`<p>${foreign(name)}</p>`)}</dd>
<dt>${words.deployment}</dt><dd>${foreign(deployment.name)} <span class="quiet">${foreign(deployment.host)}</span></dd>
<dt>${words.data}</dt><dd>${completenessOf(facts, time)}</dd>
<dt>${words.connection}</dt><dd>${api('Infrastructure API', infrastructure)}${api('Coordination API', coordination)}<p>${words.sessions[session]}</p></dd>
</dl>
<p class="quiet">${words.local} ${words.handleWithCare}</p>
${shift.folded > 0 ? markup`<p><strong>${words.folded(shift.folded)}</strong></p>` : null}
${damaged > 0 ? markup`<p><strong>${words.damaged(damaged)}</strong></p>` : null}`;
}

function table(headings: readonly string[], rows: readonly Markup[]): Markup {
  return markup`<table><thead><tr>${headings.map((heading) => markup`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
}

function unknownDecisions({ unknownDecisions: decisions }: HandoverFacts, time: Time): Markup | null {
  if (decisions.length === 0) return null;
  const { columns } = words;
  const rows = decisions.map(
    ({ missionId, decision, at }) =>
      markup`<tr><td><strong>${words.unknownDecision[decision]}</strong></td><td><code>${foreign(missionId)}</code></td><td class="time">${time(at)}</td></tr>`,
  );
  return markup`<section class="loud"><h2>${words.unknownHeading}</h2>
<p><strong>${words.unknown(decisions.length)}</strong></p>
${table([columns.decision, columns.mission, columns.time], rows)}</section>`;
}

function openIncidents({ open }: HandoverFacts, time: Time): Markup {
  const heading = markup`<h2>${words.openHeading}</h2>`;
  if (open.shown.length === 0) return markup`${heading}<p>${words.openNone}</p>`;
  const { severity, type, status, created, place, id } = words.columns;
  const all = open.critical + open.high;
  return markup`${heading}<p>${words.openCounts(open)}${all > open.shown.length ? markup` ${words.openFirst(open.shown.length)}` : null}</p>
${table(
  [severity, type, status, created, place, id],
  open.shown.map(
    (record) =>
      markup`<tr><td>${foreign(record.severity)}</td><td>${foreign(record.incidentType)}</td><td>${foreign(record.status)}</td><td>${time(record.createdAt)}</td><td>${placeOf(record)}</td><td><code>${foreign(record.id)}</code></td></tr>`,
  ),
)}`;
}

function placeOf({ location }: IncidentRecord): string {
  return location === null
    ? words.noPlace
    : `${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`;
}

function alarms({ alarms: active }: HandoverFacts, time: Time): Markup {
  const heading = markup`<h2>${words.alarmsHeading}</h2>`;
  if (active.length === 0) return markup`${heading}<p>${words.alarmsNone}</p>`;
  const rows = active.map(
    ({ at, sentence }) => markup`<tr><td class="time">${time(at)}</td><td>${foreign(sentence)}</td></tr>`,
  );
  return markup`${heading}${table([words.columns.time, words.columns.alarm], rows)}`;
}

function uploads({ uploads: { unsent, total } }: HandoverFacts): Markup {
  const heading = markup`<h2>${words.uploadsHeading}</h2>`;
  if (total === 0) return markup`${heading}<p>${words.uploadsNone}</p>`;
  const { state, file, why } = words.columns;
  const row = (upload: Upload): Markup =>
    markup`<tr><td>${words.uploadStates[upload.state]}</td><td>${foreign(upload.fileName)}</td><td>${foreign(upload.why ?? '')}</td></tr>`;
  return markup`${heading}${total > unsent.length ? markup`<p>${words.uploadsFirst(unsent.length, total)}</p>` : null}
${table([state, file, why], unsent.map(row))}`;
}

function noteOf({ text, username, at, changedAt }: Note, time: Time): Markup {
  const when = words.noteAt(time(at), changedAt === null ? null : time(changedAt));
  return markup`<div class="note"><p dir="auto">${text}</p><p class="quiet">${foreign(username)} · ${when}</p></div>`;
}

function pinned({ pinned: pins }: HandoverFacts, time: Time): Markup {
  const heading = markup`<h2>${words.pinnedHeading}</h2>`;
  if (pins.length === 0) return markup`${heading}<p>${words.pinnedNone}</p>`;
  const one = ({ incidentId, incident, notes }: PinnedFacts): Markup =>
    markup`<section>${
      incident
        ? markup`<h3>${foreign(incident.severity)} · ${foreign(incident.incidentType)} · ${foreign(incident.status)}</h3>
<p class="quiet">${time(incident.createdAt)} · ${placeOf(incident)} · <code>${foreign(incidentId)}</code></p>`
        : markup`<h3><code>${foreign(incidentId)}</code></h3><p class="quiet">${words.notKnown}</p>`
    }${notes.map((note) => noteOf(note, time))}</section>`;
  return markup`${heading}${pins.map(one)}`;
}

function otherNotes({ otherNotes: { shown, total } }: HandoverFacts, time: Time): Markup | null {
  if (total === 0) return null;
  return markup`<h2>${words.otherNotesHeading}</h2>
${total > shown.length ? markup`<p>${words.otherNotesFirst(shown.length, total)}</p>` : null}
${shown.map((note) => markup`<section><h3><code>${foreign(note.incidentId)}</code></h3>${noteOf(note, time)}</section>`)}`;
}

function log({ entries }: HandoverFacts, time: Time): Markup {
  const heading = markup`<h2>${words.logHeading}</h2>`;
  if (entries.length === 0) return markup`${heading}<p>${words.logNone}</p>`;
  const { columns } = words;
  const row = (entry: ShiftEntry): Markup => {
    const outcome = entry.outcome === null ? undefined : words.outcomes[entry.outcome];
    const isUnknown = entry.outcome?.endsWith('-unknown') === true;
    const what = outcome ?? words.kinds[entry.kind];
    return markup`<tr><td class="time">${time(entry.at)}</td><td>${foreign(entry.username)}</td><td>${isUnknown ? markup`<strong>${what}</strong>` : what}</td><td>${entry.subject === null ? null : markup`<p>${foreign(entry.subject)}</p>`}${entry.incidentId === null ? null : markup`<code>${foreign(entry.incidentId)}</code>`}</td></tr>`;
  };
  return markup`${heading}${table([columns.time, columns.who, columns.what, columns.about], entries.map(row))}`;
}
