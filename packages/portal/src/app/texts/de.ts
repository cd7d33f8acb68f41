import type { Texts } from './en.ts';

export default {
  navigation: {
    label: 'Hauptmenü',
    overview: 'Übersicht',
    alarms: 'Alarme',
    access: 'Zugriff',
    settings: 'Einstel\u00adlungen',
    installation: 'Installa\u00adtion',
    health: 'Zustand',
    accounts: 'Konten',
    collectors: 'Daten\u00adsammler',
    applications: 'Apps',
    trail: 'Protokoll',
    developers: 'Entwickler',
    account: 'Konto',
  },
  support: {
    label: 'Hilfe durch Betreiber',
    looking: (email, until) =>
      `Sie sehen das Portal bis ${until} so wie ${email}. Sie können nichts ändern, und was Sie ansehen, wird verzeichnet.`,
    allowed: (until) =>
      `Betreiber dieses Dienstes dürfen bis ${until} Ihre eigenen Anlagen ansehen.`,
    end: 'Beenden',
  },
  skip: 'Zum Inhalt springen',
  notKept: 'Diese Seite kann ohne Verbindung nicht gezeigt werden',
  keptOverview: 'Letzten Stand der Übersicht zeigen',
  home: 'Helioport, zur Übersicht',
  menu: 'Konto und Einstellungen',
  account: 'Konto und Sicherheit',
  preferences: 'Sprache und Aussehen',
  signedInAs: 'Angemeldet als',
  newPlant: 'Neue Anlage',
  invitations: 'Einladungen',
  invited: (count) =>
    count === 1
      ? 'Eine Einladung wartet auf Ihre Antwort.'
      : `${count} Einladungen warten auf Ihre Antwort.`,
  toInvitations: 'Ansehen und antworten',
  service: 'Service',
  keys: 'API-Verwaltung',
  developer: 'Für Entwickler',
  signOut: 'Abmelden',
  signIn: 'Anmelden',
  unreachable:
    'Keine Verbindung zum Server. Die Anzeige kann veraltet sein; wir versuchen es immer wieder.',
  back: 'Wieder verbunden.',
  notFound: 'Diese Seite gibt es nicht',
  notFoundLead: 'Vielleicht ist sie umgezogen, oder in der Adresse steckt ein Tippfehler.',
  toOverview: 'Zur Übersicht',
  broken: 'Auf dieser Seite ist etwas schiefgegangen',
  reload: 'Seite neu laden',
} satisfies Texts;
