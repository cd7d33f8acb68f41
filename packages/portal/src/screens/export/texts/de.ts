import type { Texts } from './en.ts';

const de: Texts = {
  title: 'Ihre Daten',
  lead: 'Alles, was Ihr Konto hat, als ZIP-Archiv: Anlagen, Geräte, Preise, Freigaben, Alarme, Befehle, Strategien, das Protokoll und alle Messwerte. Schlüsselpaare stehen ohne ihre Geheimnisse darin.',
  format: 'Messwerte als',
  csv: 'CSV, für Tabellen',
  parquet: 'Parquet, für Datenbanken',
  start: 'Archiv vorbereiten',
  underway: (percent) =>
    `Das Archiv wird geschrieben: ${percent}. Sie können diese Seite verlassen.`,
  ready: (size, until) => `Fertig, ${size}. Es wird bis ${until} aufbewahrt.`,
  download: 'Herunterladen',
  cancel: 'Abbrechen',
  remove: 'Archiv löschen',
  again: 'Ein neues Archiv ersetzt dieses.',
  failed: 'Das ging nicht.',
};
export default de;
