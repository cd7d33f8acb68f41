import type { Texts } from './en.ts';

export default {
  title: 'Übersicht',
  now: 'Gerade jetzt',
  plants: (count, shown) => (count === 1 ? '1 Anlage' : `${shown} Anlagen`),
  today: 'Heute',
  yesterday: 'Gestern je kWp',
  month: 'Dieser Monat',
  year: 'Dieses Jahr',
  total: 'Ins\u00adgesamt',
  ofCapacity: (percent, capacity) => `${percent} von ${capacity}`,
  notCounted: (count, shown) =>
    count === 1
      ? '1 Anlage ohne Messwerte nicht mitgezählt'
      : `${shown} Anlagen ohne Messwerte nicht mitgezählt`,
  amounts: (what, count) => `${what} in ${count} Währungen`,
  withoutAmounts: 'Beträge ausblenden',
  asOf: (time) => `Stand ${time}`,
  counting: 'Die Summen werden noch berechnet.',
  lastDay: 'Letzte 24 Stunden',
  highest: (power, time) => `höchstes 15-Minuten-Mittel ${power} um ${time}`,
  allWell: 'Allen Anlagen geht es gut.',
  need: {
    alarm: (count, shown) =>
      count === 1 ? '1 Anlage braucht Sie:' : `${shown} Anlagen brauchen Sie:`,
    inHand: (count, shown) =>
      count === 1
        ? '1 Anlage hat einen Alarm in Arbeit:'
        : `${shown} Anlagen haben Alarme in Arbeit:`,
    offline: (count, shown) =>
      count === 1 ? '1 Anlage meldet sich nicht:' : `${shown} Anlagen melden sich nicht:`,
  },
  showThem: 'Anzeigen',
  counters: 'Anlagen nach Zustand',
  share: 'Vom Erwarteten, 30 Tage',
  lost: (energy) => `${energy} verloren`,
  visits: {
    title: 'Was ein Besuch bringen würde',
    note: 'Andauernde Verluste, die sich beheben lassen, und was sie im Jahr kosten, wenn sich nichts ändert.',
    cause: 'Ursache',
    energy: 'Verlust pro Jahr',
    amount: 'Wert pro Jahr',
    since: 'Seit',
    confidence: 'Sicherheit',
    more: (count, shown) => (count === 1 ? '1 weiteren zeigen' : `${shown} weitere zeigen`),
  },
  list: 'Liste',
  map: 'Karte',
  view: 'Liste oder Karte',
  search: 'Name, Adresse oder Seriennummer',
  plant: 'Anlage',
  state: 'Zustand',
  power: 'Leistung jetzt',
  battery: 'Batterie',
  dealtWith: 'in Arbeit',
  moreAlarms: (count, shown) =>
    count === 1 ? 'und ein weiterer Alarm' : `und ${shown} weitere Alarme`,
  noPlants: 'Sie haben noch keine Anlage',
  noPlantsLead: 'Sobald eine Anlage Ihnen gehört oder mit Ihnen geteilt wird, erscheint sie hier.',
  newPlant: 'Neue Anlage',
  developer: 'Für Entwickler',
  nothingFound: 'Keine Anlage passt dazu',
  showAll: 'Alle Anlagen zeigen',
  archived: (count) => `Archivierte Anlagen (${count})`,
  mapLabel: 'Karte Ihrer Anlagen',
  mapHint: 'Zum Verschieben ziehen; zoomen mit den Schaltflächen oder mit Strg und Mausrad.',
  mapHintTouch: 'Zum Verschieben seitlich ziehen; zoomen mit den Schaltflächen.',
  fit: 'Alle Anlagen zeigen',
  together: (count) => `${count} Anlagen nah beieinander`,
  withoutPosition: 'Keine dieser Anlagen hat bisher eine Position.',
} satisfies Texts;
