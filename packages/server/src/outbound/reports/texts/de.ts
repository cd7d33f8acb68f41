import type { ReportTexts } from './report-texts.ts';

export const de: ReportTexts = {
  share: (kwh, share, verdict) =>
    `Die Anlage erzeugte ${kwh}, ${share} dessen, was die Sonne erlaubte: ${verdict}.`,
  onlyProduced: (kwh) => `Die Anlage erzeugte ${kwh}.`,
  nothing: 'In diesem Monat wurde an dieser Anlage nichts gemessen.',
  verdicts: {
    normal: 'normal',
    low: 'weniger als es sein sollte',
    high: 'mehr als zu erwarten war',
  },
  missing: {
    arrays:
      'Was die Sonne erlaubte, ist nicht bekannt: Tragen Sie ein, wie die Module montiert sind.',
    position: 'Was die Sonne erlaubte, ist nicht bekannt: Tragen Sie den Standort der Anlage ein.',
    irradiance: 'Was die Sonne erlaubte, ist nicht bekannt: Es wurde keine Einstrahlung gemessen.',
    clearDays:
      'Was die Sonne erlaubte, ist nicht bekannt: Die Einstrahlung wurde nicht gemessen, und es gab zu wenige klare Tage, um daraus zu lernen.',
    gaps: 'Was die Sonne erlaubte, ist nicht bekannt: Die Einstrahlung hat Lücken.',
    production: 'Für einen Vergleich mit der Sonne ist die Erzeugung an zu wenigen Tagen bekannt.',
  },
  fewDays: (days) =>
    `Was die Sonne erlaubte, ist für zu wenige Tage des Monats bekannt, um ihn zu beurteilen (${days}).`,
  yearBefore: (share, kwh) => `Das sind ${share} der ${kwh} an denselben Tagen des Vorjahres.`,
  produced: 'Erzeugt',
  expected: 'Erwartet',
  shareName: 'Anteil am Erwarteten',
  yearBeforeName: 'Vorjahr',
  worth: 'Gespart + verkauft',
  lost: 'Verloren',
  lostWorth: 'Wert bekannter Verluste',
  ratio: 'Performance Ratio',
  availability: 'Verfügbarkeit der Wechselrichter',
  days: 'Tage, kWh',
  losses: 'Verluste nach Ursache',
  cause: 'Ursache',
  device: 'Gerät',
  certainty: 'Sicherheit',
  energy: 'Energie',
  value: 'Wert',
  noLosses: 'Keine Verluste bekannt.',
  openAlarms: 'Offene Alarme',
  alarm: 'Alarm',
  noAlarms: 'Kein Alarm ist offen.',
  visits: 'Was ein Besuch brächte',
  since: 'Seit',
  energyPerYear: 'Im Jahr',
  valuePerYear: 'Wert im Jahr',
  noVisits: 'Nichts, was ein Besuch beheben würde.',
  uncertainty: (percent, days) =>
    `Erwartetes und Anteil gelten für die ${days} Tage, von denen genug bekannt ist; das Erwartete kann um ${percent} falsch sein.`,
  unexplained: 'Ungeklärt ist der Rest; er enthält den Fehler der Erwartung.',
  pending: (days) => `Die Verluste von ${days} Tagen werden noch berechnet.`,
  service: 'Die Einstrahlung stammt von einem Wetterdienst.',
  today: 'Alarme und Besuche sind von heute. Die Zahlen enden mit gestern.',
  lacking:
    'Ein Fragezeichen steht für Zeichen, die hier nicht gedruckt werden können; die Seite des Portals druckt sie.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
};
