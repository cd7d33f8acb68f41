import type { DeviceMatter } from './en.ts';

export const deviceAdvice: Readonly<Record<DeviceMatter, string>> = {
  grid: 'Dauert es länger als ein Stromausfall in Ihrer Straße, prüfen Sie den Leitungsschutzschalter des Wechselrichters. Liegt es nicht daran, rufen Sie Ihren Installateur an. Für den Installateur: Spannung und Frequenz an den Klemmen und die eingestellte Netznorm prüfen.',
  insulation:
    'Berühren Sie weder Module noch deren Kabel, und rufen Sie Ihren Installateur an. Für den Installateur: abschalten, die Isolation jedes Strings und den Fehlerstrom messen.',
  arc: 'Schalten Sie den DC-Schalter des Wechselrichters aus, und rufen Sie Ihren Installateur an: Ein Lichtbogen kann einen Brand auslösen. Für den Installateur: Stecker und Klemmen der Strings prüfen.',
  heat: 'Prüfen Sie, ob die Sonne auf das Gehäuse scheint oder etwas die Lüftungsöffnungen verdeckt. Bleibt es so, rufen Sie Ihren Installateur an. Für den Installateur: Lüfter und Abstände zu Wänden prüfen.',
  battery:
    'Prüfen Sie, ob die Batterie eingeschaltet ist. Ist sie es, rufen Sie Ihren Installateur an. Für den Installateur: Trennschalter, Kabel und die Anzeige des Batteriemanagements prüfen.',
  meter:
    'Bleibt es so, rufen Sie Ihren Installateur an: Ohne Zähler weiß der Wechselrichter nicht, was das Haus verbraucht. Für den Installateur: Kabel zum Zähler, dessen Adresse und den eingestellten Typ prüfen.',
  fan: 'Prüfen Sie, ob etwas den Lüfter blockiert. Wenn nicht, rufen Sie Ihren Installateur an, der ihn austauscht.',
  clock:
    'Zeiten, zu denen etwas geschehen soll, stimmen nicht. Stellen Sie die Uhr des Geräts, oder lassen Sie es den Datensammler mit „control: true“ tun.',
  sign: 'Bezug und Einspeisung oder Laden und Entladen werden womöglich vertauscht angezeigt. Für den Installateur: prüfen, wie der Zähler oder seine Wandler montiert sind.',
  reverted:
    'Das Gerät hat eine Einstellung nicht behalten. Sehen Sie nach, ob ein anderes Programm, etwa die Cloud des Herstellers, sie ändert, oder ob das Gerät sie in seiner jetzigen Betriebsart zulässt.',
};
