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
  demoLead: 'Dies ist eine Vorführung mit simulierten Anlagen. Hier wird nichts wirklich geschaltet.',
  ended: 'Bitte melden Sie sich erneut an',
  endedLead: 'Ihre Sitzung ist zu Ende. Die Seite bleibt, wie sie ist; nichts, was Sie eingegeben haben, geht verloren.',
} satisfies Texts;
