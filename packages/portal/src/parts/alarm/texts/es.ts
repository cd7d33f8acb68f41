import { alarmWords } from '@helioport/contract/alarm-words/es';
import type { Texts } from './en.ts';

export default {
  levels: { 1: 'Aviso', 2: 'Alarma', 3: 'Emergencia' },
  stateNames: { 0: 'Abierta', 1: 'En curso', 2: 'Terminada' },
  device: 'Dispositivo',
  since: (time: string) => `desde el ${time}`,
  fromTo: (from: string, to: string) => `del ${from} al ${to}`,
  lasts: (time: string) => `hace ${time}`,
  lasted: (time: string) => `duración ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Me ocupo yo',
  processed: 'Usted se ocupa; ahora está en «En curso». La alarma termina cuando desaparece su causa.',
  reopen: 'Volver a abrir',
  reopened: 'Abierta de nuevo: nadie se ocupa de ella.',
  taken: (who: string, when: string) => `En manos de ${who}, ${when}`,
  you: 'usted',
  operator: 'el operador',
  owner: 'el propietario de la planta',
  somebody: 'otra persona',
  reopenTitle: '¿Reabrir la alarma de otra persona?',
  reopenLead: 'Quizá ya esté trabajando en ella. Después la alarma vuelve a estar abierta para todos.',
  mayNot: 'Solo puede hacerlo quien puede controlar esta planta, y solo mientras la alarma está abierta.',
  failed: 'No ha funcionado. Inténtelo de nuevo.',
  alarms: alarmWords,
} satisfies Texts;
