import type { Texts } from './en.ts';

const es: Texts = {
  back: 'Volver a la planta',
  earlier: 'Mes anterior',
  later: 'Mes siguiente',
  print: 'Imprimir',
  pdf: 'PDF',
  pdfNote: 'El PDF está en inglés, pues no tiene caracteres chinos. Esta página los imprime.',
};
export default es;
