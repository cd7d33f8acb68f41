import type { Texts } from './en.ts';

export default {
  title: 'Alarme',
  settings: 'Benachrichtigungen',
  filters: 'Welche Alarme gezeigt werden',
  state: 'Zustand',
  states: { open: 'Offen', processed: 'In Arbeit', ended: 'Beendet', all: 'Alle' },
  level: 'Stufe',
  order: 'Reihenfolge',
  newest: 'Neueste zuerst',
  costliest: 'Teuerste zuerst',
  anyLevel: 'Alle Stufen',
  fromAlarm: 'Alarme und Notfälle',
  onlyEmergencies: 'Nur Notfälle',
  plant: 'Anlage',
  anyPlant: 'Alle Anlagen',
  allPlants: 'Alle Anlagen zeigen',
  from: 'Aktiv ab',
  to: 'Aktiv bis',
  clear: 'Filter zurücksetzen',
  allWell: 'Alles in Ordnung',
  allWellLead: 'An keiner Ihrer Anlagen ist ein Alarm offen.',
  showAll: 'Vergangene Alarme zeigen',
  none: {
    open: 'Keine offenen Alarme',
    processed: 'Keine Alarme in Arbeit',
    ended: 'Keine beendeten Alarme',
    all: 'Keine Alarme',
  },
  noneLead: {
    processed: 'Ein Alarm, um den sich jemand kümmert, steht hier, bis er endet.',
    ended: 'Es ist kein Filter gesetzt: Noch kein Alarm Ihrer Anlagen ist beendet.',
    all: 'Es ist kein Filter gesetzt: Es gab noch keinen Alarm.',
  },
  narrowedLead: 'Es sind Filter gesetzt. Ohne sie gibt es vielleicht weitere.',
  inProgress: (count, shown) =>
    count === 1
      ? 'Ein Alarm ist in Arbeit: Er wurde übernommen und ist noch nicht vorbei.'
      : `${shown} Alarme sind in Arbeit: Sie wurden übernommen und sind noch nicht vorbei.`,
  showInProgress: 'Zeigen, was in Arbeit ist',
  narrowed: 'gefiltert',
} satisfies Texts;
