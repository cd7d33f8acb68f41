import type { PageTexts } from './page-texts.ts';

export const de: PageTexts = {
  language: 'Sprache',
  logIn: {
    title: 'Anmelden',
    lead: (application) => `und entscheiden, was ${application} mit Ihren Solaranlagen tun darf`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    showPassword: 'Passwort anzeigen',
    hidePassword: 'Passwort verbergen',
    submit: 'Anmelden',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    throttled: 'Zu viele Versuche. Bitte warten Sie eine halbe Minute bis zum nächsten.',
    passkey: 'Mit einem Passkey anmelden',
    forgotten: 'Passwort vergessen?',
    noAccount: 'Noch kein Konto? Registrieren',
  },
  secondStep: {
    title: 'Bestätigen Sie, dass Sie es sind',
    lead: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App anzeigt.',
    leadPasskey: 'Verwenden Sie Ihren Passkey oder einen Wiederherstellungscode.',
    code: 'Code',
    recoveryCode: 'Wiederherstellungscode',
    hint: 'Wenn Sie App oder Passkey nicht zur Hand haben, geben Sie stattdessen einen Ihrer Wiederherstellungscodes ein.',
    submit: 'Weiter',
    passkey: 'Passkey verwenden',
    again: 'Von vorn beginnen',
    wrong:
      'Dieser Code ist falsch oder wurde schon verwendet, oder der Passkey wurde nicht angenommen.',
    wrongPasskey: 'Dieser Passkey wurde nicht angenommen.',
    throttled:
      'Zu viele Versuche. Bitte warten Sie einige Minuten oder verwenden Sie einen Wiederherstellungscode.',
  },
  consent: {
    title: (application) => `${application} bittet um Zugriff`,
    lead: (application) =>
      `Sie entscheiden, was ${application} mit Ihren Solaranlagen tun darf. Entfernen Sie die Haken bei allem, was Sie nicht erlauben möchten.`,
    says: (application) => `Angaben von ${application}:`,
    homePage: 'Website',
    returnTo: (host) => `Nach Ihrer Entscheidung kehren Sie zu ${host} zurück.`,
    signedInAs: 'Angemeldet als',
    logOut: 'Abmelden',
    scopes: 'Was die Anwendung darf',
    scope: {
      access_data: [
        'Daten lesen',
        'Ihre Anlagen und Geräte mit Messwerten, Energiemengen und Alarmen sehen.',
      ],
      control_device: [
        'Geräte steuern',
        'Einstellungen Ihrer Wechselrichter ändern und sie ein- und ausschalten. Das kann Ihre Stromversorgung unterbrechen: Erlauben Sie es nur, wenn Sie der Anwendung das anvertrauen.',
      ],
    },
    plants: 'Auf welche Anlagen sie zugreifen darf',
    allPlants: 'Alle Anlagen, die mir gehören, jetzt und später',
    somePlants: 'Nur diese Anlagen',
    noPlants: 'Ihnen gehört noch keine Anlage.',
    filter: 'Anlage suchen',
    tickListed: 'Alle angezeigten auswählen',
    clearListed: 'Alle angezeigten abwählen',
    ticked: '{ticked} von {plants} ausgewählt',
    manyPlants: (shown) => `Es werden nur die ersten ${shown} Anlagen angezeigt.`,
    ending:
      'Um den Zugriff später zu beenden, wenden Sie sich an den Betreiber dieses Dienstes; er endet dann sofort.',
    endingYourself: 'Sie können diesen Zugriff jederzeit selbst beenden; er endet sofort.',
    toAuthorizations: 'Zu Ihren Autorisierungen im Portal',
    approve: 'Erlauben',
    deny: 'Ablehnen',
    noScope: 'Wählen Sie mindestens eine Berechtigung aus, oder lehnen Sie ab.',
    noPlant: 'Wählen Sie mindestens eine Anlage aus, oder lehnen Sie ab.',
  },
  error: {
    title: 'Diese Anfrage kann nicht fortgesetzt werden',
    lead: 'Sie wurden nicht zur Anwendung zurückgeleitet, weil ihre Anfrage fehlerhaft ist. Es wurde kein Zugriff gewährt.',
    technical: 'Angaben für die Entwickler der Anwendung',
    requestId: 'Anfragenummer',
    again: 'Neu beginnen',
    reasons: {
      applicationMissing: 'In der Anfrage fehlt, von welcher Anwendung sie kommt.',
      applicationUnknown: 'Diese Anwendung ist nicht bekannt oder nicht freigegeben.',
      callbackMissing: 'In der Anfrage fehlt die Rücksprungadresse.',
      callbackMismatch:
        'Die Rücksprungadresse ist nicht die, die für die Anwendung registriert ist.',
      callbackUnencoded: 'Die Rücksprungadresse ist unvollständig.',
      pageExpired:
        'Diese Seite wurde schon einmal abgeschickt, war zu lange offen oder gehört zu einer anderen Anfrage.',
      internal: 'Bei uns ist etwas schiefgegangen.',
      tooManyRequests:
        'Zu viele Anfragen auf einmal. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
      unavailable:
        'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    },
  },
};
