import type { alarmWords as english, AlarmWords } from './en.ts';

export const alarmWords: Readonly<Record<keyof typeof english, AlarmWords>> = {
  H101: {
    title: 'Gerät meldet sich nicht',
    advice: 'Prüfen Sie die Stromversorgung, den Datensammler und sein Netzwerk.',
  },
  H102: {
    title: 'Keine Erzeugung bei Tageslicht',
    advice:
      'Sehen Sie nach, ob die Anzeige und der DC-Schalter des Wechselrichters eingeschaltet sind und ob Schnee auf den Modulen liegt. Sonst rufen Sie Ihren Installateur. Für Ihren Installateur: Sicherungen und DC-Seite prüfen.',
  },
  H103: {
    title: 'String weit unter den anderen',
    advice:
      'Ein String ist eine der Modulreihen. Achten Sie auf Schatten und Schmutz; sehen Sie nichts davon, rufen Sie Ihren Installateur. Für Ihren Installateur: Sicherung, Stecker und Module prüfen.',
    adviceAtNothing:
      'Ein String ist eine der Modulreihen, und diese liefert nichts. Sehen Sie nach, ob ihr Trennschalter am Wechselrichter ausgeschaltet ist; sonst rufen Sie Ihren Installateur. Für Ihren Installateur: Spannung messen. Bei 0 V Sicherung, Trennschalter und Stecker prüfen; liegt Spannung an, den Eingang des Wechselrichters.',
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
