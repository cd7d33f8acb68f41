import type { Texts } from './en.ts';

export default {
  title: 'Anmelden',
  lead: 'Sehen Sie, was Ihr Dach gerade leistet und was es eingebracht hat.',
  email: 'E-Mail',
  password: 'Passwort',
  showPassword: 'Passwort anzeigen',
  submit: 'Anmelden',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  throttled: 'Zu viele Versuche. Bitte warten Sie eine halbe Minute bis zum nächsten.',
  away: 'Der Server antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
  demo: 'In der Demo umsehen',
  demoLead:
    'Dies ist eine Vorführung mit simulierten Anlagen. Hier wird nichts wirklich geschaltet.',
  forgotten: 'Passwort vergessen?',
  noAccount: 'Noch kein Konto? Registrieren',
  askForAccount: 'Noch kein Konto? Fragen Sie den Betreiber dieses Dienstes.',
  askForPassword: 'Passwort vergessen? Fragen Sie den Betreiber dieses Dienstes.',
  askForBoth:
    'Noch kein Konto, oder das Passwort vergessen? Fragen Sie den Betreiber dieses Dienstes.',
  ended: 'Bitte melden Sie sich erneut an',
  endedLead:
    'Ihre Sitzung ist zu Ende. Die Seite bleibt, wie sie ist; nichts, was Sie eingegeben haben, geht verloren.',
  passkey: 'Mit einem Passkey anmelden',
  wrongPasskey: 'Dieser Passkey wurde nicht angenommen.',
  secondTitle: 'Noch ein Schritt',
  secondStepApp:
    'Ihr Passwort stimmt. Geben Sie jetzt den Code ein, den Ihre Authenticator-App zeigt.',
  secondStepPasskey:
    'Ihr Passwort stimmt. Bestätigen Sie jetzt mit Ihrem Passkey oder einem Wiederherstellungscode.',
  usePasskey: 'Passkey verwenden',
  code: 'Code',
  codeHint: 'Sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode',
  recoveryCode: 'Wiederherstellungscode',
  recoveryHint: 'Wenn Sie Ihren Passkey nicht zur Hand haben',
  confirm: 'Weiter',
  startAgain: 'Von vorn beginnen',
  wrongCode:
    'Dieser Code ist falsch oder wurde schon verwendet, oder der Passkey wurde nicht angenommen.',
  throttledCode:
    'Zu viele Versuche. Bitte warten Sie einige Minuten oder verwenden Sie einen Wiederherstellungscode.',
  expired: 'Das hat zu lange gedauert. Bitte beginnen Sie von vorn.',
} satisfies Texts;
