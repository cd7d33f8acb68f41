import type { Texts } from './en.ts';

export default {
  title: 'Alarmas',
  settings: 'Notificaciones',
  filters: 'Qué alarmas se muestran',
  state: 'Estado',
  states: { open: 'Abiertas', processed: 'En curso', ended: 'Terminadas', all: 'Todas' },
  level: 'Nivel',
  anyLevel: 'Todos los niveles',
  fromAlarm: 'Alarmas y emergencias',
  onlyEmergencies: 'Solo emergencias',
  plant: 'Planta',
  anyPlant: 'Todas las plantas',
  allPlants: 'Mostrar todas las plantas',
  from: 'Empezó desde',
  to: 'Empezó hasta',
  reset: 'Mostrar todas las abiertas',
  allWell: 'Todo en orden',
  allWellLead: 'No hay ninguna alarma abierta en sus plantas.',
  showAll: 'Mostrar alarmas pasadas',
  none: {
    open: 'No hay ninguna alarma abierta',
    processed: 'No hay ninguna alarma en curso',
    ended: 'No hay ninguna alarma terminada',
    all: 'No hay ninguna alarma',
  },
  narrowedLead: 'Hay filtros activos. Sin ellos, puede haber otras.',
  inProgress: (count, shown) =>
    count === 1
      ? 'Hay una alarma en curso: alguien se ocupa de ella y aún no ha terminado.'
      : `Hay ${shown} alarmas en curso: alguien se ocupa de ellas y aún no han terminado.`,
  showInProgress: 'Mostrar las que están en curso',
  narrowed: 'con filtro',
} satisfies Texts;
