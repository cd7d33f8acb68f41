import type { Texts } from './en.ts';

export default {
  navigation: {
    label: 'Hauptmenü',
    overview: 'Übersicht',
    alarms: 'Alarme',
    access: 'Zugriff',
    account: 'Konto',
  },
  skip: 'Zum Inhalt springen',
  home: 'Helioport, zur Übersicht',
  menu: 'Konto und Einstellungen',
  signedInAs: 'Angemeldet als',
  language: 'Sprache',
  look: 'Aussehen',
  auto: 'Wie das Gerät',
  light: 'Hell',
  dark: 'Dunkel',
  signOut: 'Abmelden',
  signIn: 'Anmelden',
  unreachable: 'Keine Verbindung zum Server. Die Anzeige kann veraltet sein; wir versuchen es immer wieder.',
  back: 'Wieder verbunden.',
  notFound: 'Diese Seite gibt es nicht',
  notFoundLead: 'Vielleicht ist sie umgezogen, oder in der Adresse steckt ein Tippfehler.',
  toOverview: 'Zur Übersicht',
  broken: 'Auf dieser Seite ist etwas schiefgegangen',
  reload: 'Seite neu laden',
} satisfies Texts;
