import { alarmWords } from '@helioport/contract/alarm-words/es';
import type { Texts } from './en.ts';

export default {
  levels: { 1: 'Aviso', 2: 'Alarma', 3: 'Emergencia' },
  stateNames: { 0: 'Abierta', 1: 'Atendida, aún no ha terminado', 2: 'Terminada' },
  device: 'Dispositivo',
  since: (time: string) => `desde ${time}`,
  fromTo: (from: string, to: string) => `de ${from} a ${to}`,
  lasts: (time: string) => `desde hace ${time}`,
  lasted: (time: string) => `duración ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Marcar como atendida',
  processed: 'Marcada como atendida. Termina cuando desaparece su causa.',
  reopen: 'Deshacer',
  reopened: 'Abierta de nuevo: no se ha atendido.',
  mayNot: 'Solo puede hacerlo quien controla esta planta, y solo mientras la alarma está abierta.',
  failed: 'No ha funcionado. Inténtelo de nuevo.',
  alarms: alarmWords,
} satisfies Texts;
