import type { Texts } from './en.ts';

export default {
  title: 'Resumen',
  now: 'Ahora mismo',
  plants: (count, shown) => (count === 1 ? '1 planta' : `${shown} plantas`),
  today: 'Hoy',
  yesterday: 'Ayer por kWp',
  month: 'Este mes',
  year: 'Este año',
  total: 'En total',
  ofCapacity: (percent, capacity) => `${percent} de ${capacity}`,
  notCounted: (count, shown) =>
    count === 1 ? 'sin contar 1 planta sin lecturas' : `sin contar ${shown} plantas sin lecturas`,
  amounts: (what, count) => `${what} en ${count} monedas`,
  withoutAmounts: 'Ocultar los importes',
  asOf: (time) => `datos del ${time}`,
  counting: 'Las sumas aún se están calculando.',
  lastDay: 'Últimas 24 horas',
  highest: (power, time) => `mayor media de 15 minutos ${power} a las ${time}`,
  allWell: 'Todas las plantas están bien.',
  need: {
    alarm: (count, shown) =>
      count === 1 ? '1 planta le necesita:' : `${shown} plantas le necesitan:`,
    inHand: (count, shown) =>
      count === 1
        ? '1 planta tiene una alarma en curso:'
        : `${shown} plantas tienen alarmas en curso:`,
    offline: (count, shown) =>
      count === 1 ? '1 planta no comunica:' : `${shown} plantas no comunican:`,
  },
  showThem: 'Mostrarlas',
  counters: 'Plantas por estado',
  list: 'Lista',
  map: 'Mapa',
  view: 'Lista o mapa',
  search: 'Nombre, dirección o n.º de serie',
  plant: 'Planta',
  state: 'Estado',
  power: 'Potencia ahora',
  battery: 'Batería',
  dealtWith: 'en curso',
  moreAlarms: (count, shown) => (count === 1 ? 'y otra alarma' : `y ${shown} alarmas más`),
  noPlants: 'Todavía no tiene ninguna planta',
  noPlantsLead: 'En cuanto una planta sea suya o se comparta con usted, aparecerá aquí.',
  newPlant: 'Nueva planta',
  developer: 'Para desarrolladores',
  nothingFound: 'Ninguna planta coincide',
  showAll: 'Mostrar todas las plantas',
  archived: (count) => `Plantas archivadas (${count})`,
  mapLabel: 'Mapa de sus plantas',
  mapHint: 'Arrastre para mover; amplíe o reduzca con los botones o con Ctrl y la rueda.',
  mapHintTouch: 'Arrastre hacia un lado para mover; amplíe o reduzca con los botones.',
  fit: 'Mostrar todas las plantas',
  together: (count) => `${count} plantas cercanas`,
  withoutPosition: 'Ninguna de estas plantas tiene posición todavía.',
} satisfies Texts;
