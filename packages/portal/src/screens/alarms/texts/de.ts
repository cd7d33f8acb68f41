import type { Texts } from './en.ts';

export default {
  title: 'Alarme',
  settings: 'Benachrichtigungen',
  filters: 'Welche Alarme gezeigt werden',
  state: 'Zustand',
  states: { open: 'Offen', processed: 'In Arbeit', ended: 'Beendet', all: 'Alle' },
  level: 'Stufe',
  anyLevel: 'Alle Stufen',
  fromAlarm: 'Alarme und Notfälle',
  onlyEmergencies: 'Nur Notfälle',
  plant: 'Anlage',
  anyPlant: 'Alle Anlagen',
  allPlants: 'Alle Anlagen zeigen',
  from: 'Beginn ab',
  to: 'Beginn bis',
  reset: 'Alle offenen Alarme zeigen',
  allWell: 'Alles in Ordnung',
  allWellLead: 'An keiner Ihrer Anlagen ist ein Alarm offen.',
  showAll: 'Vergangene Alarme zeigen',
  none: { open: 'Keine offenen Alarme', processed: 'Keine Alarme in Arbeit', ended: 'Keine beendeten Alarme', all: 'Keine Alarme' },
  narrowedLead: 'Es sind Filter gesetzt. Ohne sie gibt es vielleicht weitere.',
  inProgress: (count, shown) =>
    count === 1
      ? 'Ein Alarm ist in Arbeit: Jemand kümmert sich darum, und er ist noch nicht vorbei.'
      : `${shown} Alarme sind in Arbeit: Jemand kümmert sich darum, und sie sind noch nicht vorbei.`,
  showInProgress: 'Zeigen, was in Arbeit ist',
  narrowed: 'gefiltert',
} satisfies Texts;
