import type { NewsTexts } from './news-texts.ts';

export const de: NewsTexts = {
  levels: { 1: 'Hinweis', 2: 'Alarm', 3: 'Notfall' },
  says: { began: 'begann', ended: 'ist beendet', both: 'begann und endete' },
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
  deviceAlarm: (code) => `Alarm ${code} des Geräts`,
  at: (place) => `bei ${place}`,
  device: (sn) => `Gerät ${sn}`,
  since: (time) => `seit ${time}`,
  fromTo: (from, to) => `von ${from} bis ${to}`,
  several: (alarms, plants) => `${alarms} Alarme an ${plants} Anlagen`,
  more: (number) => `und ${number} weitere`,
  open: 'Alarme öffnen',
  why: 'Sie erhalten dies, weil E-Mails über Alarme in Ihrem Konto eingeschaltet sind.',
  stop: 'Diese E-Mails beenden',
  test: { title: 'Ein Test', body: 'So sehen Nachrichten über Ihre Anlagen aus.' },
  stopPage: {
    title: 'E-Mails über Ihre Anlagen',
    question: 'Möchten Sie diese E-Mails beenden? Alles andere bleibt, wie es ist.',
    button: 'Beenden',
    done: 'Sie sind beendet. Im Portal können Sie sie wieder einschalten.',
    unreadable: 'Dieser Link ist nicht vollständig. Im Portal wählen Sie, was Ihnen gemeldet wird.',
  },
  weekly: {
    subject: (week) => `Ihre Woche vom ${week}`,
    summary: (kwh, change) => `Ihre Anlagen haben ${kwh} kWh erzeugt${change === undefined ? '' : `, ${change} gegenüber dem Mittel der Wochen davor`}.`,
    produced: 'Erzeugt',
    weekBefore: 'Die Woche davor',
    average: 'Mittel der vier Wochen davor',
    bestDay: 'Bester Tag',
    income: 'Ertrag',
    co2: 'Vermiedenes CO₂',
    alarms: 'Begonnene Alarme',
    quiet: 'Kein Alarm ist offen: Es ist nichts zu tun.',
    toDo: (number) => `Zu tun: ${number} offen`,
    open: 'Ihre Anlagen öffnen',
    why: 'Sie erhalten dies, weil die Wochenübersicht in Ihrem Konto eingeschaltet ist.',
    nothing: 'An Ihren Anlagen wurde in der letzten Woche nichts gemessen.',
    onlyFirst: (plants) => `Die Zahlen sind die Ihrer ersten ${plants} Anlagen.`,
  },
};
