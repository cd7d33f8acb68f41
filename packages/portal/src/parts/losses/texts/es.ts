import { lossWords } from '@helioport/contract/loss-words/es';
import type { Texts } from './en.ts';

const es: Texts = {
  ...lossWords,
  inverter: (sn) => `inversor ${sn}`,
  limitOf: (power) => `límite de ${power}`,
  setBy: {
    person: 'ajustado por una persona',
    program: 'ajustado por una aplicación',
    operator: 'ajustado por el operador',
    other: 'ajustado',
  },
  on: (who, day) => `${who} el ${day}`,
  input: (input, share) => `la entrada ${input} entrega el ${share} de lo esperado`,
  share: (share) => `entrega el ${share} de lo esperado`,
  alarm: (code) => `alarma ${code}`,
  coldest: (temperature) => `temperatura mínima del aire: ${temperature}`,
  days: (count, shown) => (count === 1 ? 'en 1 día' : `en ${shown} días`),
};
export default es;
