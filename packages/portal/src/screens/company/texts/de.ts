import type { Texts } from './en.ts';

const de: Texts = {
  title: 'Firma',
  lead: 'Mehrere Personen, ein Bestand: Alle in einer Firma sehen deren Anlagen, jeder mit eigenem Konto. Sie können einer Firma angehören.',
  found: 'Firma anlegen',
  name: 'Name der Firma',
  foundNow: 'Firma anlegen',
  offers: 'Sie sind eingeladen',
  until: (time) => `offen bis ${time}`,
  people: 'Personen',
  you: 'Sie',
  roles: { manager: 'Verwalter', member: 'Mitglied' },
  makeManager: 'Zum Verwalter machen',
  makeMember: 'Zum Mitglied machen',
  remove: 'Entfernen',
  removeTitle: (who) => `${who} entfernen?`,
  removeLead:
    'Der Zugriff über die Firma endet sofort: Schlüssel und Anmeldungen dieser Person erreichen deren Anlagen nicht mehr. Eigener Zugriff bleibt.',
  removed: (who) => `${who} gehört nicht mehr zur Firma.`,
  invite: 'Einladen',
  email: 'E-Mail-Adresse',
  role: 'Rolle',
  roleLead:
    'Mitglieder sehen die Anlagen der Firma und steuern die, die sie steuern darf. Verwalter laden außerdem Personen ein, entfernen sie, geben Anlagen ab und können die Firma umbenennen oder auflösen.',
  invited: (email) =>
    `${email} ist eingeladen. Nach der Anmeldung steht die Einladung im Kontomenü unter „Einladungen“.`,
  withdraw: 'Zurückziehen',
  withdrawTitle: (email) => `Einladung an ${email} zurückziehen?`,
  withdrawLead: 'Sie kann dann nicht mehr angenommen werden. Sie können wieder einladen.',
  withdrawn: (email) => `Die Einladung an ${email} ist zurückgezogen.`,
  plants: 'Anlagen der Firma',
  plantsLead:
    'Anlagen von Kunden kommen dazu, wenn ihr Eigentümer jemanden von Ihnen einlädt und der für die Firma annimmt. Wer allein schon Zugriff auf eine hat, kann sie hier einbringen.',
  noPlants: 'Noch keine.',
  mayInstall: 'sieht, steuert und richtet ein',
  mayControl: 'sieht und steuert',
  maySee: 'sieht',
  installer: 'ist ihr Installateur',
  end: 'Abgeben',
  endTitle: 'Diese Anlage abgeben?',
  endLead:
    'Sie und alle anderen in der Firma verlieren diese Anlage, außer wer eigenen Zugriff hat. Wer sie eingebracht hat, hat keinen mehr. Zurück kommt sie nur, wenn ihr Eigentümer jemanden von Ihnen wieder einlädt.',
  endLeadOwn:
    'Die anderen in der Firma sehen sie nicht mehr, wenn sie keinen eigenen Zugriff haben. Sie gehört weiter Ihnen, und Sie können sie wieder mit der Firma teilen.',
  ended: (plant) => `Die Firma hat ${plant} nicht mehr.`,
  bringTitle: 'Anlagen, die mit Ihnen geteilt sind, nicht mit der Firma',
  bringLead: 'Bringen Sie sie ein, haben alle in der Firma den Zugriff, den Sie jetzt haben.',
  bringAll: 'Alle',
  bring: (count) => `Einbringen (${count})`,
  bringAsk: (count, shown) =>
    count === 1
      ? 'Diese Anlage in die Firma einbringen?'
      : `${shown} Anlagen in die Firma einbringen?`,
  bringGives: (company, count) =>
    `Alle in ${company} dürfen dann damit tun, was Sie jetzt dürfen. Für Sie ändert sich nichts, solange Sie zur Firma gehören. ${count === 1 ? 'Der Eigentümer sieht' : 'Die Eigentümer sehen'} die Firma unter denen, die Zugriff haben, und ${count === 1 ? 'kann' : 'können'} das beenden.`,
  bringWayBack:
    'Treten Sie aus oder gibt die Firma eine Anlage ab, haben Sie diese nicht mehr. Der Weg zurück: Ihr Eigentümer lädt Sie wieder ein.',
  brought: (count, shown) =>
    count === 1
      ? 'Die Firma hat jetzt diese Anlage.'
      : `Die Firma hat jetzt diese ${shown} Anlagen.`,
  give: (count) => `Alle meine Anlagen teilen (${count})`,
  giveNow: 'Diese Anlagen teilen',
  giveLead:
    'Alle in der Firma sehen und steuern sie dann. Sie gehören weiter Ihnen. Einzelne Anlagen teilen Sie in deren Einstellungen unter Personen.',
  andMore: (names, more) => `${names} und ${more} weitere`,
  giving: (left) => `noch ${left}`,
  given: (count, shown) =>
    `Die Firma hat ${count === 1 ? 'die eine Anlage, die Ihnen gehört' : `die ${shown} Anlagen, die Ihnen gehören`}. Anlagen von Kunden kommen dazu, wenn deren Eigentümer jemanden von Ihnen einlädt.`,
  previous: 'Zurück',
  next: 'Weiter',
  page: (page, pages) => `Seite ${page} von ${pages}`,
  settings: 'Einstellungen der Firma',
  rename: 'Umbenennen',
  renamed: 'Gespeichert.',
  logo: 'Logo',
  logoLead:
    'Steht auf Berichten über Anlagen, deren Installateur die Firma ist. Alle, die eine solche Anlage sehen dürfen, sehen es. PNG oder JPEG; große Bilder werden verkleinert.',
  chooseLogo: 'Logo auswählen',
  removeLogo: 'Logo entfernen',
  logoOf: (name) => `Logo von ${name}`,
  noPicture: 'Dieses Bild konnte nicht gelesen werden. Wählen Sie ein PNG oder JPEG.',
  leave: 'Firma verlassen',
  leaveLead:
    'Ihr Zugriff über die Firma endet sofort. Anlagen, die Sie eingebracht haben, bleiben bei ihr und sind für Sie verloren. Eigene Anlagen, die Sie mit ihr geteilt haben, bleiben geteilt, bis Sie das in deren Einstellungen beenden.',
  lastManager: 'Sie sind der einzige Verwalter. Machen Sie erst jemand anderen zum Verwalter.',
  left: 'Sie haben die Firma verlassen.',
  dissolve: 'Firma auflösen',
  dissolveLead:
    'Sie endet für alle. Auch Sie verlieren ihre Anlagen, selbst die, die Sie eingebracht haben, außer sie gehören Ihnen oder ihre Eigentümer laden Sie wieder ein. Das lässt sich nicht zurücknehmen.',
  dissolved: 'Die Firma ist aufgelöst.',
  refused: (expected) => `Erwartet: ${expected}`,
};
export default de;
