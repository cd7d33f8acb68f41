import type { Texts } from './en.ts';

export default {
  manage: 'Geräte zuordnen oder trennen',
  title: 'Geräte',
  none: 'Noch keine Geräte',
  byState: 'Geräte nach Zustand',
  search: 'Name, Seriennummer oder Modell',
  allKinds: (count) => `Alle Arten (${count})`,
  nothingFound: 'Kein Gerät passt dazu',
  showAll: 'Alle Geräte zeigen',
} satisfies Texts;
