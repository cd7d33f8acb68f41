import type { LossWords } from './en.ts';

export const lossWords: LossWords = {
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
};
