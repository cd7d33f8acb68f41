import type { Texts } from './en.ts';

export default {
  noPlant: 'Keine solche Anlage',
  again: 'Noch einmal versuchen',
  close: 'Schließen',
  failed: 'Das konnte nicht geladen werden',
  noPermission: 'Das gibt es nicht, oder Sie haben keinen Zugriff darauf',
  toOverview: 'Zur Übersicht',
  unreachable: 'Der Server antwortet gerade nicht',
  state: { online: 'Online', offline: 'Offline', alarm: 'Alarm', building: 'Ohne Geräte' },
  cancel: 'Abbrechen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  yearBefore: {
    more: (percent: string) => `${percent} mehr als vor einem Jahr`,
    less: (percent: string) => `${percent} weniger als vor einem Jahr`,
    same: 'So viel wie vor einem Jahr',
    before: (energy: string) => `An denselben Tagen vor einem Jahr: ${energy}`,
  },
  unsaved: {
    title: 'Seite ohne Speichern verlassen?',
    lead: 'Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.',
    leave: 'Ohne Speichern verlassen',
  },
  preferences: {
    language: 'Sprache',
    look: 'Aussehen',
    looks: { auto: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
  },
  newPassword: { hint: 'Mindestens 10 Zeichen', show: 'Passwort anzeigen' },
  demoPassword:
    'Die Passwörter der Demo-Konten stehen im Terminal, in dem die Demo gestartet wurde.',
  ownedBy: (email) => `gehört ${email}`,
  plants: {
    all: 'Alle Anlagen, auch künftige',
    asBefore: 'Alle, die es jetzt hat',
    some: 'Nur einige Anlagen',
    search: 'Anlagen suchen',
    chosen: (count) => (count === 1 ? '1 Anlage gewählt' : `${count} Anlagen gewählt`),
  },
  factor: {
    label: 'Zweiter Faktor',
    lead: 'Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.',
    passkey: 'Passkey verwenden',
    unused: 'Der Passkey wurde nicht verwendet.',
  },
  access: {
    label: 'Wer Zugang hat',
    authorizations: 'Autorisie\u00adrungen verwalten',
    keys: 'API-Verwal\u00adtung',
    company: 'Firma',
  },
  passOn: {
    title: (email) => `Hier werden keine E-Mails verschickt: Bitte sagen Sie es ${email} selbst`,
    lead: 'Geben Sie diesen Link weiter. Die Einladung steht dort nach der Anmeldung mit dieser Adresse. Wer noch kein Konto hat, bekommt eines vom Betreiber dieses Dienstes.',
    link: 'Link zur Einladung',
  },
  developer: {
    label: 'Für Entwickler',
    applications: 'Anwendungen',
    explorer: 'Ausprobieren',
    debugger: 'Signaturen prüfen',
  },
  plant: {
    ended: (name, when) => `Ihr Zugriff auf „${name}“ endete am ${when}.`,
    endedLead: 'Brauchen Sie ihn noch, bitten Sie den Eigentümer um eine neue Einladung.',
    pages: 'Seiten der Anlage',
    overview: 'Anlage',
    devices: 'Geräte',
    strategies: 'Strategien',
    settings: 'Einstellungen',
    viewOnly: 'Nur Ansicht',
    former: 'eine Anlage, die Sie nicht mehr sehen',
    all: 'Alle Anlagen',
    localTime: (time, zone) => `${time} in ${zone}`,
    lastReport: (ago) => `Letzte Meldung ${ago}`,
  },
  device: {
    device: 'Gerät',
    kind: 'Art',
    kinds: {
      inverter: 'Wechselrichter',
      collector: 'Datensammler',
      epm: 'Einspeiseregler',
      ammeter: 'Zähler',
      weather: 'Wetterstation',
    },
    state: 'Zustand',
    alarms: (count, shown) => (count === 1 ? '1 Alarm' : `${shown} Alarme`),
    unexpected: 'sollte online sein',
    lastReport: 'Letzte Meldung',
    never: 'nie',
    power: 'Leistung jetzt',
    today: 'Heute',
    fullHours: 'Volllaststunden heute (bei Nennleistung)',
  },
  worthOf: {
    savedAndSold: 'Gespart + verkauft',
    saved: 'Gespart',
    sold: 'Verkauft',
    produced: 'Erzeugungs\u00advergütung',
  },
  connection: {
    asOf: (time) => `Stand ${time}`,
    since: {
      resting: (time) => `Ruht seit ${time}: Es scheint keine Sonne.`,
      catchingUp: (time) => `Frühere Messwerte treffen ein; sie reichen bis ${time}.`,
      collectorSilent: (time) => `Der Datensammler hat sich seit ${time} nicht gemeldet.`,
      devicesSilent: (time) =>
        `Der Datensammler meldet sich, aber kein Gerät dahinter seit ${time}.`,
      collectorWaiting: (time) =>
        `Der Datensammler hat sich noch nie gemeldet; der letzte Messwert ist von ${time}.`,
      noCollector: (time) =>
        `Für diese Anlage meldet sich kein Datensammler; der letzte Messwert ist von ${time}.`,
      noDevices: (time) => `Keine Geräte mehr; der letzte Messwert ist von ${time}.`,
    },
    never: {
      resting: 'Noch kein Messwert.',
      catchingUp: 'Frühere Messwerte treffen ein.',
      collectorSilent:
        'Der Datensammler meldet sich nicht mehr, und kein Gerät hat bisher einen Messwert gesendet.',
      devicesSilent:
        'Der Datensammler meldet sich, aber kein Gerät dahinter hat bisher einen Messwert gesendet.',
      collectorWaiting: 'Der Datensammler hat sich noch nicht gemeldet.',
      noCollector: 'Diese Anlage hat keinen Datensammler, daher meldet sich nichts.',
      noDevices: 'Diese Anlage hat keine Geräte, daher meldet sich nichts.',
    },
    advice: {
      resting: undefined,
      catchingUp:
        'Was der Datensammler während eines Ausfalls aufgehoben hat, wird nachgeliefert. Danach kommen wieder aktuelle Werte.',
      collectorSilent:
        'Ist der Router an, und geht das Internet? Hat der Datensammler Strom? Wenn ja, ziehen Sie ihn für eine Minute ab. Was er inzwischen misst, hebt er auf und liefert es nach.',
      devicesSilent:
        'Ist der Wechselrichter eingeschaltet? Steckt sein Kabel zum Datensammler an beiden Enden? Wenn ja, starten Sie den Datensammler neu.',
      collectorWaiting:
        'Hat der Datensammler Strom und eine Verbindung ins Internet? Seine erste Meldung kommt binnen Minuten.',
      noCollector:
        'Binden Sie in den Einstellungen der Anlage einen Datensammler ein, damit sich ihre Geräte melden können.',
      noDevices:
        'Binden Sie in den Einstellungen der Anlage einen Datensammler und die Geräte ein.',
    },
  },
  since: (day) => `seit ${day}`,
  table: {
    all: 'Alle',
    sortBy: 'Sortieren nach',
    bySize: ['kleinste zuerst', 'größte zuerst'],
    byLetter: ['A bis Z', 'Z bis A'],
    byNeed: ['schlechtester zuerst', 'bester zuerst'],
    byAge: ['älteste zuerst', 'neueste zuerst'],
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
    earlier: 'Früher',
    later: 'Später',
    summary: (title, from, to) => `${title}, von ${from} bis ${to}`,
    series: 'Was gezeigt wird',
    clock: (zone) => `Zeiten in ${zone}`,
    nothing: 'Für diese Zeit gibt es keine Messwerte',
  },
} satisfies Texts;
