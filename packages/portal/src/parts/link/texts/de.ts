import type { Texts } from './en.ts';

const de: Texts = {
  via: {
    tcp: 'Modbus TCP',
    rtu: 'Modbus RTU über TCP',
    serial: 'Serielle Leitung',
    v5: 'Stick (V5)',
    push: 'Stick, der selbst meldet',
    p1: 'P1',
    sml: 'SML',
    shelly: 'Shelly',
    fronius: 'Fronius Solar API',
    victron: 'Victron',
  },
  unit: (unit) => `Unit ${unit}`,
  stick: (serial) => `Stick ${serial}`,
  readOnly: 'nur lesen',
  title: 'Verbindung im Haus',
  states: {
    answering: 'Antwortet',
    dark: 'Dunkel: Es schweigt, weil kein Licht da ist',
    silent: 'Stumm: Es antwortet nicht',
  },
  readOnlyLead:
    'Auf das Gerät wird nichts geschrieben. Um seine Einstellungen von hier zu ändern, schreiben Sie in collect.yaml „control: true“ zu diesem Gerät.',
  counters: 'Seit dem Start des Datensammlers',
  timeouts: 'Zu späte Antworten',
  strays: 'Antworten ohne Frage',
  reconnects: 'Neu verbunden',
  droppedValues: 'Unmögliche Werte verworfen',
  collectorAway:
    'Der Datensammler ist offline; das hat er zuletzt gesagt. Ist sein Rechner eingeschaltet, und läuft dort helioport-collect?',
  doAbout: 'Was zu tun ist',
  generalSteps: [
    'Hat es Strom, und ist es verbunden? Starten Sie das Gerät oder seinen Stick einmal neu.',
    'Auf dem Rechner des Datensammlers sagt „helioport-collect status“, warum es schweigt.',
  ],
  steps: {
    tcp: [
      'Hat sich seine Adresse geändert? Vergeben Sie im Router eine feste; „helioport-collect discover“ findet es.',
      'Viele nehmen nur eine Verbindung an: Schließen Sie andere Programme, oder schreiben Sie „share: true“ zu dem Gerät.',
      'Manche Updates von Sticks schließen den Port. Ein Gateway am RS485-Anschluss hilft, oder der Stick meldet selbst.',
    ],
    rtu: [
      'Sind die zwei Adern der RS485-Leitung richtig herum angeschlossen, bei 9600 Baud?',
      'Zwei Programme an einer Leitung stören sich: Trennen Sie das andere.',
      'Auf eine falsche Unit-Nummer kommt keine Antwort: Sie steht im Menü des Geräts.',
    ],
    serial: [
      'Steckt der Adapter, unter demselben Namen wie in collect.yaml?',
      'Sind die zwei Adern der RS485-Leitung richtig herum, und fragt sonst nichts auf ihr?',
      'Auf eine falsche Unit-Nummer kommt keine Antwort: Sie steht im Menü des Geräts.',
    ],
    v5: [
      'Hat sich die Adresse des Sticks geändert? Vergeben Sie im Router eine feste.',
      'Wurde der Stick getauscht? In collect.yaml muss die neue Seriennummer stehen.',
      'Manche Updates schließen Port 8899. Lassen Sie den Stick dann selbst melden, oder verwenden Sie ein Gateway am RS485-Anschluss.',
    ],
    push: [
      'Steht die Adresse des Rechners mit dem Datensammler, mit Port 10000, noch als zweiter Server im Stick?',
      'Hat sich die Adresse dieses Rechners geändert? Vergeben Sie im Router eine feste.',
    ],
  },
};
export default de;
