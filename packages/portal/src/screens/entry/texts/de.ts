import type { Texts } from './en.ts';

export default {
  title: 'Passwort vergessen?',
  lead: 'Wir senden Ihnen eine E-Mail mit einem Link, um ein neues zu wählen.',
  noMail:
    'Diese Installation verschickt keine E-Mails. Bitten Sie ihren Betreiber, ein neues Passwort für Sie zu setzen.',
  useless:
    'Dieser Link wurde benutzt oder ersetzt, oder er ist älter als eine Stunde. Sie können einen neuen anfordern.',
  email: 'E-Mail',
  send: 'Link senden',
  back: 'Zurück zur Anmeldung',
  sentHint:
    'Der Link gilt eine Stunde lang. Wenn nichts kommt, sehen Sie bei den unerwünschten E-Mails nach und prüfen Sie die Adresse.',
  again: 'Andere Adresse',
  chooseTitle: 'Neues Passwort wählen',
  chooseLead: 'Sie werden damit überall abgemeldet.',
  newPassword: 'Neues Passwort',
  endAll: 'Auch alle Schlüsselpaare und den Zugriff aller Anwendungen beenden',
  choose: 'Passwort setzen',
  done: 'Ihr Passwort wurde geändert. Bitte melden Sie sich mit dem neuen an.',
  secondStep: 'Ihr Konto verlangt einen zweiten Faktor.',
  weak: 'Bitte wählen Sie ein Passwort mit mindestens 10 Zeichen, das nicht allgemein gebräuchlich ist.',
  invalid: 'Bitte prüfen Sie die E-Mail-Adresse.',
  throttled: 'Zu viele Versuche. Bitte warten Sie einige Minuten.',
  away: 'Der Server antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
  signUpTitle: 'Registrieren',
  signUpLead:
    'Wir senden Ihnen eine E-Mail mit einem Link, um sicher zu sein, dass die Adresse Ihre ist.',
  noSignUp: 'Konten legt hier der Betreiber an. Bitten Sie ihn um eines.',
  accountLead: 'Wählen Sie Ihren Namen und ein Passwort.',
  name: 'Name',
  password: 'Passwort',
  signUp: 'Konto anlegen',
  taken: 'Zu dieser Adresse gibt es schon ein Konto. Bitte melden Sie sich an.',
  signUpSent: (email) => `Eine E-Mail an ${email} ist unterwegs.`,
  sent: (email) => `Wenn es zu ${email} hier ein Konto gibt, ist eine E-Mail unterwegs.`,
} satisfies Texts;
