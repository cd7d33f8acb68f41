import type { Texts } from './en.ts';

const es: Texts = {
  causes: {
    silent: 'Sin comunicación',
    standstill: 'Parada',
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
