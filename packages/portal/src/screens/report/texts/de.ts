import type { Texts } from './en.ts';

const de: Texts = {
  back: 'Zur Anlage',
  earlier: 'Monat davor',
  later: 'Monat danach',
  print: 'Drucken',
  pdf: 'PDF',
  pdfNote:
    'Das PDF ist auf Englisch, da es keine chinesischen Schriftzeichen hat. Diese Seite druckt sie.',
};
export default de;
