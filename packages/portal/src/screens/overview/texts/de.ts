import type { Texts } from './en.ts';

export default {
  title: 'Ihre Anlagen',
  plant: 'Anlage',
  state: 'Zustand',
  power: 'Leistung jetzt',
  today: 'Heute',
} satisfies Texts;
