import type { Texts } from './en.ts';

export default {
  again: 'Noch einmal versuchen',
  close: 'Schließen',
  failed: 'Das konnte nicht geladen werden',
  noPermission: 'Das gibt es nicht, oder Sie haben keinen Zugriff darauf',
  unreachable: 'Der Server antwortet gerade nicht',
  state: { online: 'Online', offline: 'Offline', alarm: 'Alarm' },
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  plant: {
    all: 'Alle Anlagen',
    localTime: (time, zone) => `${time} in ${zone}`,
    lastReport: (ago) => `Letzte Meldung ${ago}`,
  },
  table: {
    range: (from, to, total) => `${from}–${to} von ${total}`,
    previous: 'Vorherige Seite',
    next: 'Nächste Seite',
  },
  chart: {
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    whole: 'Alles zeigen',
    asTable: 'Als Tabelle',
    asChart: 'Als Diagramm',
    csv: 'Als CSV herunterladen',
    time: 'Zeit',
    hint: 'Zum Vergrößern über das Diagramm ziehen.',
    summary: (title, from, to) => `${title}, von ${from} bis ${to}`,
    series: 'Was gezeigt wird',
    clock: (zone) => `Zeiten in ${zone}`,
    nothing: 'Für diese Zeit gibt es keine Messwerte',
  },
} satisfies Texts;
