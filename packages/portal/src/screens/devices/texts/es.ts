import type { Texts } from './en.ts';

export default {
  back: 'Volver a la planta',
  title: 'Equipos',
  none: 'Todavía no hay equipos',
  byState: 'Equipos por estado',
  search: 'Buscar por nombre, número de serie o modelo',
  allKinds: (count) => `Todos los tipos (${count})`,
  nothingFound: 'Ningún equipo coincide',
  showAll: 'Mostrar todos los equipos',
} satisfies Texts;
