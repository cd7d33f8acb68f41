import type { Texts } from './en.ts';

const de: Texts = {
  title: 'API-Verwaltung',
  lead: 'Mit einem Schlüssel darf ein Programm von Ihnen Ihre Anlagen lesen oder steuern. Er ist ein Paar aus ID und Geheimnis, mit dem das Programm jede Anfrage signiert.',
  refused: 'Wird eine Anfrage abgelehnt? Fehler finden.',
  guide: 'So verwendet man einen Schlüssel',
  activateLead: '„Jetzt aktivieren“ legt ein neues Schlüsselpaar an.',
  activateNow: 'Jetzt aktivieren',
  create: 'Neues Schlüsselpaar',
  replace: 'Schlüsselpaar ersetzen',
  replaceShort: 'Ersetzen',
  replaceLead: (name) =>
    `Das neue Schlüsselpaar ersetzt ${name}. Das alte gilt weiter, bis Sie es sperren: Stellen Sie erst Ihre Programme um, dann sperren Sie es.`,
  disable: 'Sperren',
  activate: 'Schlüsselpaar anlegen',
  activateReplacement: 'Ersatz anlegen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  none: 'Kein Schlüsselpaar ist aktiv',
  noneLead:
    '„Jetzt aktivieren“ legt ein Schlüsselpaar an, das eigene Programme hereinlässt. Sie bestimmen, was sie dürfen und wie lange.',
  unnamed: 'Ohne Namen',
  waiting: 'Ein Schlüsselpaar wartet auf Ihre nächste Anmeldung',
  waitingLead: 'Es wird abgewiesen, bis Sie sich abmelden und mit Ihrem Passwort wieder anmelden.',
  expiring: (name) => `${name} läuft bald ab`,
  expiringLead:
    'Ersetzen Sie es rechtzeitig: Beide Schlüsselpaare gelten, bis Sie das alte sperren.',
  over: (count) => (count === 1 ? '1 beendetes Schlüsselpaar' : `${count} beendete Schlüsselpaare`),
  worksUntil: (when) => `Sonst gilt es bis ${when}.`,
  newest: (when) => `Das neueste mit diesem Namen, angelegt am ${when}.`,
  older:
    'Ein älteres mit diesem Namen. Sperren Sie es, sobald Ihre Programme das neueste verwenden.',
  olderUntil: (when) =>
    `Ein älteres mit diesem Namen, gilt bis ${when}. Sperren Sie es, sobald Ihre Programme das neueste verwenden.`,
  disableTitle: 'Dieses Schlüsselpaar sperren?',
  disableLead:
    'Programme, die es verwenden, werden ab der nächsten Anfrage abgewiesen. Es lässt sich nicht wieder freigeben.',
  disabled: (name) => `${name} ist gesperrt.`,
  columns: {
    key: 'Schlüsselpaar',
    state: 'Zustand',
    may: 'Was es darf',
    used: 'Zuletzt benutzt',
    expires: 'Läuft ab',
    actions: 'Aktionen',
  },
  permission: { read: 'Lesen', control: 'Lesen und steuern' },
  allPlants: 'alle Anlagen',
  andMore: (count) => `und ${count} weitere`,
  from: (networks) => `nur von ${networks}`,
  neverUsed: 'nie',
  states: {
    waiting: 'Wartet auf Anmeldung',
    active: 'Aktiv',
    expiring: 'Läuft bald ab',
    expired: 'Abgelaufen',
    disabled: 'Gesperrt',
  },
  form: {
    label: 'Name',
    labelLead: 'Damit Sie es später wiedererkennen, zum Beispiel „Heimserver“.',
    may: 'Was es darf',
    readLead: 'Anlagen, Messwerte und Alarme sehen.',
    controlLead: 'Auch Einstellungen von Geräten ändern und Anlagen verwalten.',
    plants: 'Für welche Anlagen',
    networks: 'Nur von diesen Adressen (optional)',
    networksLead: 'Adressen oder Netze, je eines pro Zeile. Bleibt es leer, gilt es von überall.',
    expiry: 'Läuft ab',
    lifetimes: { 182: 'in einem halben Jahr', until: 'an einem Tag Ihrer Wahl', never: 'nie' },
    lastDay: 'Letzter Tag',
    untilDay: (lifetime, day) => `${lifetime} (bis ${day})`,
    days: (days) => `in ${days} Tagen`,
    password: 'Ihr Passwort',
    passwordLead:
      'Ein Schlüsselpaar gibt dauerhaften Zugriff, bestätigen Sie deshalb bitte, dass Sie es sind.',
    showPassword: 'Passwort anzeigen',
  },
  created: {
    title: 'Ihr neues Schlüsselpaar',
    once: 'Das KeySecret wird nur jetzt gezeigt',
    onceLead:
      'Bewahren Sie es dort auf, wo nur Ihr Programm es findet. Geht es verloren, ersetzen Sie das Schlüsselpaar.',
    waiting: 'Gilt ab Ihrer nächsten Anmeldung',
    waitingLead:
      'Bis dahin werden Anfragen damit abgewiesen. Melden Sie sich ab und wieder an, um es zu verwenden.',
    overlap: (until) =>
      until === undefined
        ? 'Das alte Schlüsselpaar gilt, bis Sie es sperren.'
        : `Das alte Schlüsselpaar gilt, bis Sie es sperren, oder bis ${until}.`,
    leaveTitle: 'Ohne das KeySecret schließen?',
    leaveLead: 'Es wurde nicht kopiert und wird nicht noch einmal gezeigt.',
    leave: 'Trotzdem schließen',
    request: 'Eine signierte Anfrage zum Ausprobieren',
    requestLead: 'In ein Terminal mit curl und openssl einfügen. Sie listet Ihre Anlagen auf.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    later: 'Später',
    logOut: 'Jetzt abmelden',
  },
  faults: {
    away: 'Der Server antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
    wrongPassword: 'Das Passwort ist falsch.',
    wrongFactor: 'Der Code ist falsch oder wurde schon verwendet. Warten Sie auf den nächsten.',
    throttled: 'Zu viele Versuche. Bitte warten Sie eine halbe Minute.',
    networks:
      'Eine dieser Angaben ist weder eine Adresse noch ein Netz. Schreiben Sie zum Beispiel 203.0.113.7, 203.0.113.0/24 oder 2001:db8::/32.',
  },
};
export default de;
