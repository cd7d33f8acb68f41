import type { alarmWords as english, AlarmWords } from './en.ts';

export const alarmWords: Readonly<Record<keyof typeof english, AlarmWords>> = {
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
    adviceAtNothing:
      'Ein String, der nichts liefert, ist unterbrochen, nicht verschattet: Messen Sie seine Spannung. Bei 0 V prüfen Sie Sicherung, Trennschalter und Stecker; liegt Spannung an, den Eingang des Wechselrichters.',
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
};
