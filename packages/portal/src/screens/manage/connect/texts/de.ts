import type { Texts } from './en.ts';

const de: Texts = {
  title: 'Ein Gerät anschließen',
  lead: 'Ein kleines Programm auf einem Rechner im Haus fragt die Geräte ab und meldet an diese Anlage. Von außen muss nichts im Haus erreichbar sein.',
  have: 'Was haben Sie?',
  families: {
    solis: 'Solis oder einen Stick für SolisCloud',
    deye: 'Deye oder Sunsynk',
    sofar: 'Sofar oder ZCS Azzurro',
    sunspec: 'SunSpec: Fronius, SMA, SolarEdge, Kostal und andere',
    meter: 'Einen Zähler',
    own: 'Ein Programm, das selbst meldet',
  },
  first: {
    solis:
      'Sticks mit Port 8899 (S1, S2, DLS) brauchen nichts. Andere sprechen Modbus auf Port 502 nur mit manchen Firmwareständen; ein Gateway am RS485-Anschluss geht immer. Viele Sticks nehmen nur eine Verbindung an: Die Cloud des Herstellers zeigt dann womöglich nichts.',
    deye: 'WLAN-Sticks hören auf Port 8899, LAN-Sticks auf 8899 oder 502. Neue Firmware schließt den Port; dann hilft ein Gateway am RS485-Anschluss.',
    sofar: 'Sticks hören auf Port 8899. Ohne Stick verwenden Sie ein Gateway am RS485-Anschluss.',
    sunspec:
      'Schalten Sie Modbus TCP auf der Webseite oder am Display des Wechselrichters ein. Das Steuern wird dort meist eigens freigegeben.',
    meter:
      'SunSpec-Zähler: Modbus TCP einschalten. Intelligente Zähler: das Kabel des P1-Anschlusses oder den Infrarot-Lesekopf in den Rechner stecken. Ein Shelly braucht nichts.',
    own: 'Es sendet seine Messwerte mit einem Token über HTTP. Wie, beschreibt das Collector-Protokoll.',
  },
  createLead: 'Das fügt der Anlage einen Datensammler hinzu.',
  createFile: 'Datei und Token anlegen',
  createToken: 'Token anlegen',
  toDo: 'Was damit zu tun ist',
  install:
    'Installieren Sie das Programm helioport-collect auf einem Rechner im Haus mit Node 20 oder neuer, etwa einem Raspberry Pi.',
  saveBoth:
    'Speichern Sie dort beide Dateien in einem Ordner. Tragen Sie in collect.yaml die Adresse Ihres Geräts ein.',
  token: 'Token',
  tokenFile: 'Speichern Sie es als Datei mit dem Namen „token“.',
  once: 'Das Token wird nur jetzt angezeigt',
  onceLead:
    'Wer es hat, kann für diese Anlage melden. Geht es verloren, legen Sie hier ein neues an.',
  unknownAddress:
    'Wenn Sie die Adresse nicht kennen: Dieser Befehl sucht die Geräte im Haus und schreibt collect.yaml selbst.',
  search: 'Geräte suchen',
  start: 'Starten',
  gateway: 'Adresse für Meldungen',
  serial: 'Seriennummer des Datensammlers',
  thenBind:
    'Was es findet, erscheint binnen Minuten in den Einstellungen der Anlage und kann dort zugeordnet werden.',
  toDevices: 'Zu den Geräten der Anlage',
  file: {
    address: 'Adresse des Sticks, Wechselrichters, Zählers oder Gateways',
    others: 'andere Wege:',
    control: 'ohne die nächste Zeile wird nichts auf das Gerät geschrieben',
  },
};
export default de;
