import type { Texts } from './en.ts';

const es: Texts = {
  causes: {
    silent: 'El equipo no comunica',
    standstill: 'Parado',
    grid: 'Red fuera de rango',
    limit: 'Potencia limitada',
    exportLimit: 'Vertido limitado',
    clipping: 'Recortado a la potencia nominal',
    string: 'Entrada CC débil',
    lag: 'Rinde menos que los demás',
    snow: 'Nieve',
    unexplained: 'Sin explicar',
  },
  confidences: { high: 'seguro', medium: 'probable', low: 'posible' },
  inverter: (sn) => `inversor ${sn}`,
  limitOf: (power) => `límite de ${power}`,
  setBy: {
    person: 'fijado por una persona',
    program: 'fijado por una aplicación',
    operator: 'fijado por el operador',
    other: 'fijado',
  },
  on: (who, day) => `${who} el ${day}`,
  input: (input, share) => `la entrada ${input} entrega el ${share} de lo esperado`,
  share: (share) => `entrega el ${share} de lo esperado`,
  alarm: (code) => `alarma ${code}`,
  coldest: (temperature) => `mínima de ${temperature}`,
  days: (count, shown) => (count === 1 ? 'en 1 día' : `en ${shown} días`),
};
export default es;
