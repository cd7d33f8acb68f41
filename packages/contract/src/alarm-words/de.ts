import type { alarmWords as english, AlarmWords } from './en.ts';

export const alarmWords: Readonly<Record<keyof typeof english, AlarmWords>> = {
  H101: {
    title: 'Gerät meldet sich nicht',
    advice:
      'Sehen Sie nach, ob das Gerät und sein Datensammler Strom haben und ob Ihr Internet funktioniert. [Liegt es nicht daran, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]ihre Versorgung, das Kabel zwischen ihnen und das Netzwerk prüfen.',
  },
  H102: {
    title: 'Keine Erzeugung bei Tageslicht',
    advice:
      'Sehen Sie nach, ob die Anzeige und der DC-Schalter des Wechselrichters eingeschaltet sind und ob Schnee auf den Modulen liegt. [Liegt es nicht daran, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]Sicherungen und DC-Seite prüfen.',
  },
  H103: {
    title: 'String weit unter den anderen',
    titleMeasured: 'String {0} liefert {1} % der anderen',
    titleAtNothing: 'String {0} liefert nichts',
    advice:
      'Ein String ist eine der Modulreihen. Achten Sie auf Schatten und Schmutz; [sehen Sie nichts davon, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]Sicherung, Stecker und Module prüfen.',
    adviceAtNothing:
      'Ein String ist eine der Modulreihen, und diese liefert nichts. Sehen Sie nach, ob ihr Trennschalter am Wechselrichter ausgeschaltet ist. [Liegt es nicht daran, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]Spannung messen. Bei 0 V Sicherung, Trennschalter und Stecker prüfen; liegt Spannung an, den Eingang des Wechselrichters.',
  },
  H104: {
    title: 'Netzspannung außerhalb des Bereichs',
    detail: 'Netzspannung: {0} V.',
    advice:
      '[Hält es an, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]Länge und Querschnitt des Kabels zwischen Wechselrichter und Zähler prüfen und den Netzbetreiber fragen.',
  },
  H105: {
    title: 'Netzfrequenz außerhalb des Bereichs',
    detail: 'Netzfrequenz: {0} Hz.',
    advice:
      'Am öffentlichen Netz ist nichts zu tun; im Inselbetrieb [rufen Sie Ihren Installateur an, wenn es anhält. Für Ihren Installateur: ]Generator und Batteriewechselrichter prüfen.',
  },
  H106: {
    title: 'Gerät zu heiß',
    detail: 'Temperatur: {0} °C.',
    advice:
      'Sehen Sie nach, ob die Sonne auf das Gehäuse scheint oder etwas die Lufteinlässe verdeckt; der Wechselrichter senkt seine Leistung selbst. [Hält es an, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]Lüfter prüfen.',
  },
  H107: {
    title: 'Batterie zu heiß',
    detail: 'Temperatur der Batterie: {0} °C.',
    advice:
      'Laden Sie nicht weiter, halten Sie Abstand [und rufen Sie den Installateur der Batterie].',
  },
  H108: {
    title: 'Lücken in der Übertragung',
    detail: 'In zwei Stunden kamen {0} % der Messwerte an.',
    advice:
      'Sehen Sie nach, ob Ihr Internet funktioniert und ob zwischen Router und Datensammler etwas Neues steht. [Liegt es nicht daran, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]Funksignal und Netzwerk des Datensammlers prüfen.',
  },
  H109: {
    title: 'Werte ändern sich nicht',
    advice:
      'Die gezeigten Werte sind alt: Starten Sie den Datensammler neu. [Hilft das nicht, rufen Sie Ihren Installateur an. Für Ihren Installateur: ]das Kabel zwischen Datensammler und Gerät prüfen.',
  },
};
