import type { Texts } from './en.ts';

const de: Texts = {
  toOverview: 'Alle Anlagen',
  newPlant: 'Neue Anlage',
  newPlantLead: 'Sagen Sie uns, wo sie steht, dann stimmen Tage und Preise vom ersten Messwert an.',
  onThisPage: 'Auf dieser Seite',
  details: 'Angaben',
  name: 'Name',
  capacity: 'Nennleistung der Module (kWp)',
  address: 'Adresse',
  latitude: 'Breitengrad, Nord ist positiv',
  longitude: 'Längengrad, Ost ist positiv',
  needed: 'Felder mit * sind nötig.',
  missing: 'Bitte ausfüllen.',
  place: 'Wo die Anlage steht',
  whereIAm: 'Meinen Standort nehmen',
  removePlace: 'Ort entfernen',
  placeRefused:
    'Ihr Browser verrät Ihren Standort nicht. Zeigen Sie auf der Karte auf den Ort, oder tippen Sie ihn ein.',
  placeMap: 'Karte, um auf den Ort der Anlage zu zeigen',
  placeHint:
    'Klicken oder tippen Sie auf den Ort der Anlage; vergrößert trifft man genauer. Ziehen verschiebt die Karte.',
  showPlace: 'Ort der Anlage zeigen',
  chooseZone: 'Zeitzone der Anlage wählen',
  noZone: 'Keine solche Zeitzone',
  chooseCurrency: 'Währung der Anlage wählen',
  noCurrency: 'Keine solche Währung',
  timeZone: 'Zeitzone',
  suggested: (zone) => `Der Ort liegt in ${zone}.`,
  takeSuggestion: 'Übernehmen',
  fromPlace: 'Aus dem Ort übernommen. Wählen Sie etwas anderes, wenn es nicht stimmt.',
  atSea: 'An diesem Ort gibt es keine Zeitzone an Land. Prüfen Sie Breiten- und Längengrad.',
  notDegrees: {
    latitude: 'Grad von -90 bis 90, etwa 37,39; Süden ist negativ.',
    longitude: 'Grad von -180 bis 180, etwa -5,99; Westen ist negativ.',
  },
  currency: 'Währung',
  notConverted: (from, to) =>
    `Preise und Beträge werden nicht umgerechnet, auch frühere nicht: Aus 10 ${from} werden 10 ${to}.`,
  price: (currency) =>
    currency === '' ? 'Vergütung je erzeugter kWh' : `Vergütung je erzeugter kWh (${currency})`,
  pricesHint:
    'Zwei Preise genügen: was Sie für eine kWh aus dem Netz zahlen und was Sie für eine eingespeiste bekommen. Sie gelten von Anfang an und lassen sich später in den Einstellungen der Anlage ändern, auch für bestimmte Stunden.',
  priceHint:
    'Wird für jede erzeugte kWh gezahlt, auch für selbst verbrauchte. Die meisten Anlagen haben keine.',
  morePrices: 'Mehr: Vergütung je erzeugter kWh',
  importPrice: (currency) =>
    currency === '' ? 'Kosten je bezogener kWh' : `Kosten je bezogener kWh (${currency})`,
  importPriceHint:
    'Was Sie für Energie aus dem Netz zahlen. Lassen Sie es leer, wenn Sie es nicht wissen.',
  exportPrice: (currency) =>
    currency === ''
      ? 'Einnahmen je eingespeister kWh'
      : `Einnahmen je eingespeister kWh (${currency})`,
  exportPriceHint:
    'Was Sie für Energie bekommen, die ins Netz fließt. Lassen Sie es leer, wenn Sie es nicht wissen.',
  collector: 'Seriennummer des Datensammlers, falls zur Hand',
  create: 'Anlage anlegen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  created: 'Die Anlage ist angelegt.',
  addCollector: 'Datensammler zuordnen',
  changedMeanwhile:
    'Jemand hat diese Anlage inzwischen geändert, vielleicht Sie selbst in einem anderen Tab. Von Ihren Angaben wurde nichts gespeichert.',
  loadNewest: 'Neuesten Stand zeigen',
  refused: (expected) => `Erwartet: ${expected}`,
  failed: 'Das ging nicht.',
  taken: 'Dieses Gerät ist schon zugeordnet oder für jemand anderen bestimmt.',
  reportedFirst:
    'In keiner Anlage: Ein fremder Datensammler hat es zuerst gemeldet. Einen Tag nach seiner letzten Meldung können Sie es zuordnen. Gehört es Ihnen und wird es weiter anderswo gemeldet, fragen Sie den Betreiber dieser Cloud.',
  takenChecks: [
    'In einer anderen Anlage von Ihnen: Trennen Sie es zuerst dort.',
    'In einer fremden Anlage: Deren Eigentümer muss es trennen.',
    'Ein Datensammler, der für ein anderes Konto eingetragen ist: Geben Sie sein Token ein, das Sie vom Betreiber dieser Cloud bekommen.',
  ],
  unknownCollector: 'Diesen Datensammler gibt es nicht, oder er gehört jemand anderem.',
  collectorRefused:
    'Ein Datensammler mit dieser Seriennummer lässt sich nicht zuordnen. Vergleichen Sie sie mit dem Typenschild. Der Betreiber dieser Cloud trägt Datensammler zuerst ein: Fragen Sie dort nach. Um die Anlage ohne ihn anzulegen, lassen Sie dieses Feld leer und ordnen ihn später zu.',
  collectorTaken:
    'Dieser Datensammler ist schon zugeordnet oder für jemand anderen bestimmt. Trennen Sie ihn zuerst dort. Um die Anlage ohne ihn anzulegen, lassen Sie dieses Feld leer und ordnen ihn später zu.',
  unknownDevice: 'Ein Gerät mit dieser Seriennummer lässt sich hier nicht zuordnen.',
  compareSerial: 'Vergleichen Sie sie Zeichen für Zeichen mit dem Typenschild.',
  collectorFirst:
    'Ein Wechselrichter oder Zähler: Ordnen Sie zuerst seinen Datensammler zu. Er ist bekannt, sobald dieser ihn gemeldet hat.',
  collectorEntered:
    'Ein Datensammler: Der Betreiber dieser Cloud trägt ihn zuerst ein. Fragen Sie dort nach.',
  people: 'Personen',
  peopleLead:
    'Familie und Installateure, die die Anlage mit ihrem eigenen Konto sehen oder steuern.',
  owner: 'Eigentümer',
  withdrawOf: (email) => `Einladung an ${email} zurückziehen`,
  invitationWithdrawn: 'Die Einladung ist zurückgezogen.',
  withdrawLead: (email) =>
    `${email} kann sie dann nicht mehr annehmen. Sie können wieder einladen.`,
  endShare: 'Zugriff beenden',
  endShareOf: (email) => `Zugriff beenden: ${email}`,
  endShareLead: (email) =>
    `${email} verliert den Zugriff sofort und kann wieder eingeladen werden.`,
  devices: 'Geräte',
  devicesLead:
    'Ein Datensammler bringt die Geräte mit, von denen bekannt ist, dass sie über ihn berichten. Was er zum ersten Mal meldet, wird binnen Minuten unten angeboten. Ein Datensammler, der für ein anderes Konto eingetragen ist, braucht sein Token: Es steht auf dem Datensammler, oder Sie bekommen es vom Betreiber dieser Cloud.',
  connect:
    'Wechselrichter, Stick oder Zähler anschließen: was einzuschalten ist, mit Datei und Token zum Kopieren',
  bindTitle: 'Gerät zuordnen',
  serial: 'Seriennummer',
  token: 'Token des Datensammlers, falls nötig',
  reportTo: 'Datensammler melden an',
  bind: 'Zuordnen',
  bound: (sn) => `${sn} ist zugeordnet.`,
  waiting: (count, shown, collector) =>
    count === 1
      ? `1 Gerät berichtet über ${collector} und ist noch nicht zugeordnet`
      : `${shown} Geräte berichten über ${collector} und sind noch nicht zugeordnet`,
  kindOf: (sn) => `Was ${sn} ist`,
  bindAll: (shown) => `Alle zuordnen (${shown})`,
  boundAll: (shown) => `${shown} Geräte sind zugeordnet.`,
  sharedLead:
    'Die Anlage ist mit Ihnen geteilt. Angaben, Preise, Personen und Geräte ändert ihr Eigentümer.',
  installLead:
    'Die Anlage ist mit Ihnen geteilt, und Sie dürfen sie einrichten. Preise und Personen bleiben Sache des Eigentümers.',
  installDevices:
    'Öffnen Sie ein Gerät, um es zu ersetzen oder seinen Namen und seine Leistung zu berichtigen.',
  keptReadings: (count, shown) =>
    count === 1 ? '1 Messung wartet und kommt mit' : `${shown} Messungen warten und kommen mit`,
  replaceLead: 'Nur der Eigentümer ordnet Geräte zu und trennt sie. So wird eines ersetzt:',
  replaceSteps: [
    'Geben Sie dem Eigentümer die Seriennummern des alten und des neuen Geräts.',
    'Der Eigentümer öffnet die Einstellungen der Anlage und trennt das alte unter „Geräte“. Was es gemessen hat, bleibt bei der Anlage.',
    'Dort ordnet der Eigentümer das neue zu. Berichtet es über denselben Datensammler, wird es dort von selbst angeboten.',
    'Oder der Eigentümer lässt Sie es selbst tun: in den Einstellungen der Anlage unter „Personen“ mit „sieht, steuert und richtet ein“.',
  ],
  arrays: {
    title: 'Module',
    lead: 'Wie die Module montiert sind. Mit einem Einstrahlungssensor sagt Helioport dann, was die Anlage hätte erzeugen sollen.',
    fromPlant: 'Aus den Angaben zur Anlage übernommen. Prüfen und speichern Sie sie.',
    estimated:
      'Aus klaren Tagen der Wechselrichter geschätzt und noch nicht in Gebrauch. Prüfen Sie es und bestätigen Sie es, indem Sie speichern.',
    takeEstimated: 'Schätzung aus klaren Tagen eintragen',
    array: (number) => `Modulfeld ${number}`,
    tilt: 'Neigung (°)',
    azimuth: 'Ausrichtung (°)',
    capacity: 'Nennleistung (kWp)',
    inverter: 'Wechselrichter',
    anyInverter: 'Nicht angegeben',
    directions:
      'Neigung: 0 = waagerecht, 90 = senkrecht. Ausrichtung: 0 = Norden, 90 = Osten, 180 = Süden, 270 = Westen.',
    differs: (arrays, plant) =>
      `Die Modulfelder haben zusammen ${arrays}, die Anlage hat ${plant}.`,
    add: 'Modulfeld hinzufügen',
    save: 'Module speichern',
    saved: 'Die Module wurden gespeichert.',
  },
  tariffs: 'Preise',
  tariffsLead:
    'Was Energie einbringt und kostet, und seit wann. Reicht eine Änderung zurück, wird die Vergangenheit neu berechnet.',
  uses: {
    production: 'Erzeugungsvergütung (je erzeugter kWh)',
    import: 'Bezogene Energie',
    export: 'Eingespeiste Energie',
  },
  noPrice: 'Noch kein Preis.',
  since: (when) => `ab ${when}`,
  sinceEver: 'von Anfang an',
  inForce: 'gilt jetzt',
  planned: 'gilt später',
  remove: 'Entfernen',
  removeTariff: 'Preis entfernen',
  removeTariffLead:
    'Es gilt wieder der Preis davor. Gibt es keinen, hat die Energie keinen Preis, bis der nächste beginnt. Er kann wieder gesetzt werden.',
  tariffRemoved: 'Entfernt.',
  firstCounts: 'Es ist der erste Preis dieser Art und gilt auch für die Zeit bisher.',
  noneBefore: 'Für die Zeit davor gibt es keinen Preis.',
  tariffPlanned: (when) => `Gespeichert. Der Preis gilt ab ${when}.`,
  tariffSaved: 'Gespeichert. Einnahmen und Kosten werden neu berechnet.',
  newPrice: 'Neuer Preis',
  priceOf: 'Wofür',
  pricePerKwh: 'Preis je kWh',
  validFrom: 'Gilt',
  fromNow: 'ab jetzt',
  fromDay: 'ab einem Tag',
  firstDay: 'Erster Tag',
  setPrice: 'Preis setzen',
  hoursEnd:
    'Ein früherer Preis hat zu bestimmten Stunden andere Preise. Der neue hat keine, wenn Sie sie hier nicht eintragen.',
  addWindow: 'Ein anderer Preis zu bestimmten Stunden',
  window: (number) => `Stunden ${number}`,
  windowStart: 'Von',
  windowEnd: 'Bis',
  windowDays: 'An',
  days: { all: 'jedem Tag', work: 'Montag bis Freitag', weekend: 'Samstag und Sonntag' },
  weekDays: { mon: 'Mo', tue: 'Di', wed: 'Mi', thu: 'Do', fri: 'Fr', sat: 'Sa', sun: 'So' },
  inMonths: (months) => `Monate ${months}`,
  boundDevices: 'In dieser Anlage',
  noneBound: 'Noch kein Gerät.',
  searchDevices: 'Geräte dieser Anlage suchen',
  unbind: 'Trennen',
  historyStays:
    'Was es gemessen hat, bleibt bei dieser Anlage: Kurven, Energie und Einnahmen ändern sich nicht.',
  nothingTaken:
    'Was es ab jetzt misst, wird nicht erfasst, bis es wieder zugeordnet wird, hier oder in einer anderen Anlage.',
  nothingWaits: 'Keine Änderung seiner Einstellungen wartet. Strategien darauf enden.',
  waitingCommands: (count) =>
    `${count === 1 ? 'Eine Änderung seiner Einstellungen wartet. Sie wird' : `${count} Änderungen seiner Einstellungen warten. Sie werden`} nicht gesendet, solange es getrennt ist. Strategien darauf enden.`,
  bindAgain:
    'Zurücknehmen können Sie es, indem Sie es wieder zuordnen: Seine Seriennummer steht dann im Feld darunter.',
  withDevices: 'Auch die Geräte, die über ihn berichten',
  withDevicesLead: 'Bleiben sie, meldet niemand für sie, bis ein anderer Datensammler es tut.',
  unboundDone: (sn) => `${sn} ist getrennt.`,
  handOver: 'Übergabe',
  offerLead:
    'Übergeben Sie die Anlage an Ihren Kunden oder an den Käufer des Hauses. Sobald er annimmt, gehört sie ihm mit ihrer ganzen Geschichte. Dann endet der Zugriff anderer Personen, und auch der Ihrer Anwendungen, selbst wenn Sie einen eigenen Zugriff behalten; der neue Eigentümer kann unter „Personen“ wieder einladen. Angaben, Preise, Personen und Geräte der Anlage ändert danach nur noch der neue Eigentümer.',
  offerAsk: (email) =>
    `${email} wird mit der Annahme Eigentümer. Bis dahin ändert sich nichts, und Sie können das Angebot zurückziehen.`,
  keep: 'Ihr eigener Zugriff danach',
  keepNothing: 'Keiner',
  keepRead: 'Sehen',
  keepControl: 'Sehen und steuern',
  keepInstall: 'Sehen, steuern und einrichten',
  ownEnds: 'Auch Ihr eigener Zugriff endet, wenn Sie ihn nicht behalten.',
  withoutDevices:
    'Diese Anlage hat noch kein Gerät. Sie können sie so anbieten; nach der Übergabe kann nur der neue Eigentümer Geräte zuordnen.',
  installerKeeps:
    'Ihr eigener Zugriff endet nicht: Wer eine Anlage installiert, betreut sie weiter. Der neue Eigentümer kann die Anlage ohne ihn annehmen oder ihn später unter „Personen“ beenden.',
  keeps: {
    read: (who) => `${who} darf die Anlage danach weiter sehen, um sie zu warten.`,
    control: (who) => `${who} darf die Anlage danach weiter sehen und steuern, um sie zu warten.`,
    install: (who) =>
      `${who} darf die Anlage danach weiter sehen, steuern und einrichten: Geräte ersetzen, ihre Leistung berichtigen, neue zuordnen.`,
  },
  tokensKnown: (count) =>
    count === 1
      ? 'Wer den Datensammler eingerichtet hat, kennt vielleicht sein Token und könnte damit falsche Messwerte senden oder Ihre Befehle abfangen. Beenden Sie den Zugriff, endet auch das Token. Ein neues erhalten Sie auf der Seite des Datensammlers; bis dahin behält er, was er misst.'
      : `Wer die ${count} Datensammler eingerichtet hat, kennt vielleicht ihre Tokens und könnte damit falsche Messwerte senden oder Ihre Befehle abfangen. Beenden Sie den Zugriff, enden auch die Tokens. Neue erhalten Sie auf den Seiten der Datensammler; bis dahin behalten diese, was sie messen.`,
  installerStays: (who) =>
    `${who} betreut die Anlage weiter als Installateur und darf sie steuern.`,
  youKeep: {
    none: 'Sie behalten keinen Zugriff.',
    read: 'Sie dürfen die Anlage danach weiter sehen.',
    control: 'Sie dürfen die Anlage danach weiter sehen und steuern.',
    install: 'Sie dürfen die Anlage danach weiter sehen, steuern und einrichten.',
  },
  offerTo: 'E-Mail-Adresse des neuen Eigentümers',
  offer: 'Anlage anbieten',
  offered: (email) => `Die Anlage ist ${email} angeboten.`,
  offeredTo: (email) => `Angeboten: ${email}`,
  offeredSince: (when, until) => `seit ${when} · offen bis ${until}`,
  offerWithdrawn: 'Das Angebot ist zurückgezogen.',
  kept: {
    title: 'Wie lange Messwerte bleiben',
    lead: 'Energien von Tagen, Monaten und Jahren, Beträge und Spitzen bleiben für immer. Der Betreiber dieses Dienstes kann Messwerte kürzer aufbewahren, nie länger als hier gewählt.',
    readingThinning: 'Einen Messwert je 15 Minuten behalten',
    readingRetention: 'Messwerte löschen',
    off: 'wie vom Betreiber festgelegt',
    afterDays: (days) => `nach ${days} Tagen`,
    save: 'Speichern',
    warning:
      'Ausgedünnte oder gelöschte Messwerte kommen nicht zurück, und neue Preise ändern die Beträge ihrer Tage nicht mehr.',
  },
  archive: 'Anlage archivieren',
  archiveLead:
    'Sie wird niemandem mehr gezeigt, und ihre Geräte sind frei für eine andere Anlage. Die Geschichte bleibt, und Sie können die Anlage mit den Geräten, die dann noch frei sind, zurückholen: unter „Archivierte Anlagen“, am Ende der Anlagenliste.',
  archivedDone:
    'Die Anlage ist archiviert. Unter „Archivierte Anlagen“, am Ende der Anlagenliste, können Sie sie zurückholen.',
  archived: 'Archivierte Anlagen',
  noneArchived: 'Keine Anlage ist archiviert.',
  archivedOn: (when) => `archiviert ${when}`,
  restore: 'Zurückholen',
  restored: (name) => `${name} ist wieder da.`,
  restoredWith: (name) => `${name} ist mit ihren Geräten wieder da.`,
  restoredWithout: (name, count, shown) =>
    `${name} ist wieder da, aber ${count === 1 ? '1 Gerät gehört' : `${shown} Geräte gehören`} inzwischen zu einer anderen Anlage.`,
  toItsDevices: 'Zu den Geräten',
  invitations: 'Einladungen',
  noInvitations: 'Keine Einladungen',
  noInvitationsLead: 'Wenn jemand eine Anlage mit Ihnen teilt, steht es hier.',
  received: 'Empfangen',
  sent: 'Gesendet',
  asks: {
    share: (from, plant) => `${from} teilt die Anlage „${plant}“ mit Ihnen.`,
    installer: (from, plant) => `${from} möchte, dass Sie die Anlage „${plant}“ betreuen.`,
    owner: (from, plant) => `${from} übergibt Ihnen die Anlage „${plant}“.`,
  },
  asked: {
    share: (from, plant) => `${from} hat Sie zu „${plant}“ eingeladen.`,
    installer: (from, plant) => `${from} wollte, dass Sie „${plant}“ betreuen.`,
    owner: (from, plant) => `${from} hat Ihnen „${plant}“ angeboten.`,
  },
  youMay: {
    read: 'Sie dürfen die Anlage sehen.',
    control: 'Sie dürfen die Anlage sehen und steuern.',
    install:
      'Sie dürfen die Anlage sehen, steuern und einrichten: Geräte ersetzen, ihre Leistung berichtigen, neue zuordnen.',
  },
  thenYours: 'Sobald Sie annehmen, gehört die Anlage Ihnen, mit ihrer Geschichte.',
  handedOver: (from, plant) =>
    `${from} hat Ihnen „${plant}“ übergeben. Die Anlage gehört jetzt Ihnen, mit ihrer Geschichte.`,
  toPlant: 'Zur Anlage',
  asksOf: {
    read: (to, plant) => `Sie haben ${to} eingeladen, „${plant}“ zu sehen.`,
    control: (to, plant) => `Sie haben ${to} eingeladen, „${plant}“ zu sehen und zu steuern.`,
    install: (to, plant) =>
      `Sie haben ${to} eingeladen, „${plant}“ zu sehen, zu steuern und einzurichten.`,
    installer: (to, plant) => `Sie haben ${to} gebeten, „${plant}“ zu betreuen.`,
    owner: (to, plant) => `Sie haben ${to} angeboten, „${plant}“ zu übernehmen.`,
    company: (to, name) => `Sie haben ${to} in die Firma ${name} eingeladen.`,
  },
  states: {
    open: (until) => `Die Einladung kann bis ${until} angenommen werden.`,
    accepted: (when) => `Angenommen am ${when}.`,
    declined: (when) => `Abgelehnt am ${when}.`,
    withdrawn: (when) => `Zurückgezogen am ${when}.`,
    expired: (when) => `Abgelaufen am ${when}.`,
  },
  acceptedFor: (company, when) => `Für ${company} angenommen am ${when}.`,
  accessEnded: { received: 'Ihr Zugriff ist beendet.', sent: 'Der Zugriff ist beendet.' },
  companyOf: (count) =>
    count === 1 ? 'Eine Firma mit 1 Person.' : `Eine Firma mit ${count} Personen.`,
  acceptFor: (name) => `Für ${name} annehmen`,
  acceptForMe: 'Für mich annehmen',
  toCompany: 'Zur Firma',
  acceptedForAll: 'Angenommen. Die Anlage steht jetzt bei allen in der Firma in der Liste.',
  giveTo: (name) => `Mit ${name} teilen`,
  givenTo: (name) => `${name} hat die Anlage jetzt.`,
  endCompanyLead: (name) =>
    `Alle in ${name} verlieren den Zugriff sofort, wenn sie keinen eigenen haben.`,
  acceptWithout: 'Annehmen, Zugriff beenden',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  withdraw: 'Zurückziehen',
  accepted: 'Angenommen. Die Anlage steht jetzt in Ihrer Liste.',
};
export default de;
