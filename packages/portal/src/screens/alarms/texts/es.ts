import type { Texts } from './en.ts';

export default {
  title: 'Alarmas',
  settings: 'Notificaciones',
  filters: 'Qué alarmas se muestran',
  state: 'Estado',
  states: { open: 'Abiertas', processed: 'Atendidas', ended: 'Terminadas', all: 'Todas' },
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
  nothingFound: 'Ninguna alarma coincide',
  allWell: 'Todo en orden',
  allWellLead: 'No hay ninguna alarma abierta en sus plantas.',
  showAll: 'Mostrar alarmas pasadas',
  levels: { 1: 'Aviso', 2: 'Alarma', 3: 'Emergencia' },
  stateNames: { 0: 'Abierta', 1: 'Atendida, aún no ha terminado', 2: 'Terminada' },
  device: 'Dispositivo',
  since: (time: string) => `desde ${time}`,
  fromTo: (from: string, to: string) => `de ${from} a ${to}`,
  lasted: (time: string) => `duración ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Marcar como atendida',
  processed: 'Marcada como atendida. Termina cuando desaparece su causa.',
  mayNot: 'Solo puede hacerlo quien controla esta planta, y solo mientras la alarma está abierta.',
  failed: 'No ha funcionado. Inténtelo de nuevo.',
  // As in messages (server/src/news/texts); a test compares them.
  alarms: {
    H101: {
      title: 'El dispositivo no informa',
      advice: 'Compruebe la alimentación, el colector y su red.',
    },
    H102: {
      title: 'Sin producción de día',
      advice: 'Compruebe el interruptor de CC, los fusibles y la pantalla del inversor; la nieve sobre los módulos tiene el mismo efecto.',
    },
    H103: {
      title: 'String muy por debajo de los demás',
      advice: 'Compruebe el fusible, los conectores y los módulos del string, y busque sombras a mediodía.',
    },
    H104: {
      title: 'Tensión de red fuera de rango',
      advice: 'Si persiste, pregunte a la distribuidora; compruebe la longitud y la sección del cable entre el inversor y el contador.',
    },
    H105: {
      title: 'Frecuencia de red fuera de rango',
      advice: 'En una red pública no hay nada que hacer; en una red aislada, compruebe el generador y el inversor de batería.',
    },
    H106: {
      title: 'Dispositivo demasiado caliente',
      advice: 'Compruebe el ventilador y las entradas de aire, y si el sol da en la carcasa; el inversor reduce su potencia por sí mismo.',
    },
    H107: {
      title: 'Batería demasiado caliente',
      advice: 'Deje de cargarla, aléjese de ella y llame a su instalador.',
    },
    H108: {
      title: 'Huecos en la comunicación',
      advice: 'Compruebe la señal de radio y la red del colector.',
    },
    H109: {
      title: 'Los valores no cambian',
      advice: 'Los valores mostrados son antiguos: reinicie el colector y compruebe el cable entre este y el dispositivo.',
    },
  },
} satisfies Texts;
