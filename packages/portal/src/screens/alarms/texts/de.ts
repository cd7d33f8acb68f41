import type { Texts } from './en.ts';

export default {
  title: 'Alarme',
  settings: 'Benachrichtigungen',
  filters: 'Welche Alarme gezeigt werden',
  state: 'Zustand',
  states: { open: 'Offen', processed: 'Bearbeitet', ended: 'Beendet', all: 'Alle' },
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
  nothingFound: 'Kein Alarm passt dazu',
  allWell: 'Alles in Ordnung',
  allWellLead: 'An keiner Ihrer Anlagen ist ein Alarm offen.',
  showAll: 'Vergangene Alarme zeigen',
} satisfies Texts;
