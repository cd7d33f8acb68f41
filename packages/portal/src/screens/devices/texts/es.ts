import type { Texts } from './en.ts';

export default {
  manage: 'Vincular o desvincular dispositivos',
  title: 'Dispositivos',
  none: 'Todavía no hay dispositivos',
  byState: 'Dispositivos por estado',
  search: 'Nombre, n.º de serie o modelo',
  allKinds: (count) => `Todos los tipos (${count})`,
  nothingFound: 'Ningún dispositivo coincide',
  showAll: 'Mostrar todos los dispositivos',
} satisfies Texts;
