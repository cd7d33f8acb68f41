import { deviceAdvice } from '@helioport/contract/alarm-words/device/de';
import { alarmWords } from '@helioport/contract/alarm-words/de';
import type { NotificationTexts } from './notification-texts.ts';

export const de: NotificationTexts = {
  levels: { 1: 'Hinweis', 2: 'Alarm', 3: 'Notfall' },
  says: { began: 'begann', ended: 'ist beendet', both: 'begann und endete' },
  alarms: alarmWords,
  deviceAdvice,
  deviceAlarm: (code) => `Alarm ${code} des Geräts`,
  at: (place) => `bei ${place}`,
  device: (sn) => `Gerät ${sn}`,
  lost: (what) => `Bisher verloren: ${what}`,
  since: (time) => `seit ${time}`,
  fromTo: (from, to) => `von ${from} bis ${to}`,
  several: (alarms, plants) =>
    plants === '1' ? `${alarms} Alarme an 1 Anlage` : `${alarms} Alarme an ${plants} Anlagen`,
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
  ended: {
    one: (plant) => `Ihr Zugriff auf „${plant}“ ist beendet`,
    several: (plants) => `Ihr Zugriff auf ${plants} Anlagen ist beendet`,
    lead: 'Der Eigentümer, Ihre Firma oder ein Wechsel des Eigentümers hat ihn beendet. Brauchen Sie ihn noch, bitten Sie den Eigentümer um eine neue Einladung.',
    open: 'Ihre Anlagen öffnen',
    why: 'Sie erhalten dies, weil Sie Zugriff hatten. Es ist nichts zu tun.',
  },
  changes: {
    heading: (number) => `Einstellungen Ihrer Geräte, die andere geändert haben: ${number}`,
    lead: 'Wer seit der letzten solchen E-Mail wie oft an Geräte welcher Anlage geschrieben hat. Die Seite jedes Geräts zeigt, was geändert wurde, und kann es rückgängig machen.',
    operator: 'Der Betreiber',
    service: 'Dieser Dienst, um Einstellungen wiederherzustellen',
    unknown: 'Ein Konto, das es nicht mehr gibt',
    open: 'Ihre Anlagen öffnen',
    why: 'Sie erhalten dies, weil in Ihrem Konto E-Mails über Änderungen durch andere eingeschaltet sind.',
  },
  weekly: {
    subject: (week) => `Ihre Woche vom ${week}`,
    summary: (kwh, change) =>
      `Ihre Anlagen haben ${kwh} kWh erzeugt${change === undefined ? '' : `, ${change} gegenüber dem Mittel der Wochen davor`}.`,
    produced: 'Erzeugt',
    weekBefore: 'Die Woche davor',
    average: 'Mittel der Wochen davor',
    bestDay: 'Bester Tag',
    worth: 'Gespart + verkauft',
    co2: 'Vermiedenes CO₂',
    alarms: 'Neue Alarme',
    quiet: 'Kein Alarm ist offen: Es ist nichts zu tun.',
    toDo: (number) => `Zu tun: ${number} offen`,
    open: 'Ihre Anlagen öffnen',
    why: 'Sie erhalten dies, weil die Wochenübersicht in Ihrem Konto eingeschaltet ist.',
    nothing: 'An Ihren Anlagen wurde in dieser Woche nichts gemessen.',
    lost: (kwh, cause, causeKwh, plant) =>
      `Bekannte Verluste: ${kwh}. Die größte Ursache war „${cause}“ mit ${causeKwh}, am meisten bei ${plant}.`,
    onlyFirst: (plants) => `Die Zahlen sind die Ihrer ersten ${plants} Anlagen.`,
  },
};
