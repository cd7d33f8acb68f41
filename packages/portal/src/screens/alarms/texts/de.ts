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
  levels: { 1: 'Hinweis', 2: 'Alarm', 3: 'Notfall' },
  stateNames: { 0: 'Offen', 1: 'Bearbeitet, noch nicht vorbei', 2: 'Beendet' },
  device: 'Gerät',
  since: (time: string) => `seit ${time}`,
  fromTo: (from: string, to: string) => `${from} bis ${to}`,
  lasted: (time: string) => `Dauer ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Als bearbeitet markieren',
  processed: 'Als bearbeitet markiert. Er endet, wenn seine Ursache behoben ist.',
  mayNot: 'Das kann nur, wer diese Anlage steuern darf, und nur solange der Alarm offen ist.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  // As in messages (server/src/news/texts); a test compares them.
  alarms: {
    H101: {
      title: 'Gerät meldet sich nicht',
      advice: 'Prüfen Sie die Stromversorgung, den Datensammler und sein Netzwerk.',
    },
    H102: {
      title: 'Keine Erzeugung bei Tageslicht',
      advice: 'Prüfen Sie den DC-Schalter, die Sicherungen und die Anzeige des Wechselrichters; Schnee auf den Modulen wirkt ebenso.',
    },
    H103: {
      title: 'String weit unter den anderen',
      advice: 'Prüfen Sie Sicherung, Stecker und Module des Strings, und achten Sie mittags auf Schatten.',
    },
    H104: {
      title: 'Netzspannung außerhalb des Bereichs',
      advice: 'Hält es an, fragen Sie den Netzbetreiber; prüfen Sie Länge und Querschnitt des Kabels zwischen Wechselrichter und Zähler.',
    },
    H105: {
      title: 'Netzfrequenz außerhalb des Bereichs',
      advice: 'Am öffentlichen Netz ist nichts zu tun; im Inselbetrieb prüfen Sie den Generator und den Batteriewechselrichter.',
    },
    H106: {
      title: 'Gerät zu heiß',
      advice: 'Prüfen Sie Lüfter und Lufteinlässe, und ob die Sonne auf das Gehäuse scheint; der Wechselrichter senkt seine Leistung selbst.',
    },
    H107: {
      title: 'Batterie zu heiß',
      advice: 'Laden Sie nicht weiter, halten Sie Abstand und rufen Sie den Installateur der Batterie.',
    },
    H108: {
      title: 'Lücken in der Übertragung',
      advice: 'Prüfen Sie das Funksignal und das Netzwerk des Datensammlers.',
    },
    H109: {
      title: 'Werte ändern sich nicht',
      advice: 'Die gezeigten Werte sind alt: Starten Sie den Datensammler neu, und prüfen Sie das Kabel zum Gerät.',
    },
  },
} satisfies Texts;
