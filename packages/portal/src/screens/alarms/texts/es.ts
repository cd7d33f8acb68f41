import type { Texts } from './en.ts';

export default {
  title: 'Alarmas',
  settings: 'Notificaciones',
  filters: 'Qué alarmas se muestran',
  state: 'Estado',
  states: { open: 'Abiertas', processed: 'En curso', ended: 'Terminadas', all: 'Todas' },
  level: 'Nivel',
  order: 'Orden',
  newest: 'Las más recientes primero',
  costliest: 'Las más costosas primero',
  anyLevel: 'Todos los niveles',
  fromAlarm: 'Alarmas y emergencias',
  onlyEmergencies: 'Solo emergencias',
  plant: 'Planta',
  anyPlant: 'Todas las plantas',
  allPlants: 'Mostrar todas las plantas',
  from: 'Activas desde',
  to: 'Activas hasta',
  clear: 'Quitar los filtros',
  allWell: 'Todo en orden',
  allWellLead: 'No hay ninguna alarma abierta en sus plantas.',
  showAll: 'Mostrar alarmas pasadas',
  none: {
    open: 'No hay ninguna alarma abierta',
    processed: 'No hay ninguna alarma en curso',
    ended: 'No hay ninguna alarma terminada',
    all: 'No hay ninguna alarma',
  },
  noneLead: {
    processed: 'Una alarma de la que alguien se ocupa está aquí hasta que termina.',
    ended: 'No hay filtros activos: todavía no ha terminado ninguna alarma de sus plantas.',
    all: 'No hay filtros activos: todavía no ha habido ninguna alarma.',
  },
  narrowedLead: 'Hay filtros activos. Sin ellos, puede haber otras.',
  inProgress: (count, shown) =>
    count === 1
      ? 'Hay una alarma en curso: ya está en manos de alguien y aún no ha terminado.'
      : `Hay ${shown} alarmas en curso: ya están en manos de alguien y aún no han terminado.`,
  showInProgress: 'Mostrar las que están en curso',
  narrowed: 'con filtro',
} satisfies Texts;
