import type { Texts } from './en.ts';

const de: Texts = {
  title: 'Ausprobieren',
  lead: 'Ruft jede Operation der signierten Schnittstelle in Ihrem Namen auf, ohne Schlüsselpaar, und zeigt die signierte Anfrage, die dasselbe täte.',
  operation: 'Operation',
  find: 'Nach Name oder Zweck suchen',
  found: (count) => (count === 0 ? 'Nichts passt.' : count === 1 ? '1 passt.' : `${count} passen.`),
  writes: 'Ändert etwas',
  required: 'verlangt',
  unset: 'nicht gesendet',
  send: 'Senden',
  warnTitle: 'Das ändert etwas',
  warnLead: 'Es wird sofort ausgeführt, mit Ihren Anlagen und Geräten.',
  warnSend: 'Ausführen',
  answer: 'Antwort',
  took: (ms) => `in ${ms} ms`,
  unreachable: 'Der Server antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
  cut: 'Nur der Anfang wird gezeigt.',
  signed: 'Dasselbe als signierte Anfrage',
  signedLead:
    'Fügen Sie es in ein Terminal mit curl und openssl ein, mit Ihrem eigenen Schlüsselpaar statt der Wörter in Großbuchstaben.',
  keys: 'Ihre Schlüsselpaare',
  script: 'Befehle',
  stringToSign: 'Zu signierender Text',
  stringLead:
    'Mit dem Body von oben und diesem Date. Zeilen enden mit einem einzigen Zeilenvorschub; am Ende steht keiner.',
  copy: 'Kopieren',
  copied: 'Kopiert',
};
export default de;
