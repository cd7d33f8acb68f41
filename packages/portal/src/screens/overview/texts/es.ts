import type { Texts } from './en.ts';

export default {
  title: 'Sus plantas',
  plant: 'Planta',
  state: 'Estado',
  power: 'Potencia ahora',
  today: 'Hoy',
} satisfies Texts;
