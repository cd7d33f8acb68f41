import { deviceAdvice } from '@helioport/contract/alarm-words/device/es';
import { alarmWords } from '@helioport/contract/alarm-words/es';
import type { Texts } from './en.ts';

export default {
  levels: { tip: 'Aviso', general: 'Alarma', emergency: 'Emergencia' },
  stateNames: { pending: 'Abierta', processed: 'En curso', restored: 'Terminada' },
  lost: (what) => `Perdido hasta ahora: ${what}`,
  device: 'Dispositivo',
  since: (time: string) => `desde el ${time}`,
  fromTo: (from: string, to: string) => `del ${from} al ${to}`,
  lasts: (time: string) => `hace ${time}`,
  lasted: (time: string) => `duración ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Me ocupo yo',
  processed: 'Usted se ocupa. La alarma termina cuando desaparece su causa.',
  reopen: 'Volver a abrir',
  reopened: 'Abierta de nuevo: nadie se ocupa de ella.',
  youAreOnIt: (when: string) => `Usted se ocupa desde el ${when}`,
  note: 'Nota',
  noteLead: 'Lo que va a hacer o lo que ha encontrado. La ven todos los que ven la alarma.',
  addNote: 'Añadir una nota',
  changeNote: 'Cambiar la nota',
  saveNote: 'Guardar la nota',
  removeNote: 'Quitarla',
  noNote: 'Sin nota',
  keepNote: 'Dejarla como está',
  noted: (when: string) => `escrita el ${when}`,
  taken: (who: string, when: string) => `En manos de ${who}, ${when}`,
  you: 'usted',
  operator: 'el operador',
  owner: 'el propietario de la planta',
  somebody: 'otra persona',
  reopenTitle: '¿Reabrir la alarma de otra persona?',
  reopenLead:
    'Quizá ya esté trabajando en ella. Después la alarma vuelve a estar abierta para todos.',
  mayNot:
    'Solo puede hacerlo quien puede controlar esta planta, y solo mientras la alarma está abierta.',
  failed: 'No ha funcionado. Inténtelo de nuevo.',
  emergencyAdvice: {
    owner:
      'Una emergencia que comunica el propio dispositivo: lo que alimenta puede estar sin corriente. Mire su pantalla y no vuelva a conectar nada que se haya desconectado solo. Si algo está caliente, huele o echa humo, aléjese y llame a los bomberos; si no, llame a su instalador.',
    installer:
      'Una emergencia que comunica el propio dispositivo. Pida que nadie se acerque, busque el código en el manual del dispositivo y desconecte CA y CC antes de abrir nada.',
  },
  alarms: alarmWords,
  deviceAdvice,
} satisfies Texts;
