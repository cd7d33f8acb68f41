import type { Language, LossCause, LossConfidence } from '@helioport/contract';

interface LossWords {
  readonly causes: Readonly<Record<LossCause, string>>;
  readonly confidences: Readonly<Record<LossConfidence, string>>;
}

/** What losses are called in what is sent or printed, as the portal calls them. */
export const lossWords: Readonly<Record<Language, LossWords>> = {
  en: {
    causes: {
      silent: 'Not reporting',
      standstill: 'Inverter down',
      grid: 'Grid out of range',
      limit: 'Power limited',
      exportLimit: 'Feed-in limited',
      clipping: 'Clipped at rated power',
      string: 'Weak DC input',
      lag: 'Behind other inverters',
      snow: 'Snow',
      unexplained: 'Unexplained',
    },
    confidences: { high: 'certain', medium: 'probable', low: 'possible' },
  },
  de: {
    causes: {
      silent: 'Meldet sich nicht',
      standstill: 'Stillstand',
      grid: 'Netz außerhalb der Grenzen',
      limit: 'Leistung begrenzt',
      exportLimit: 'Einspeisung begrenzt',
      clipping: 'Durch Nennleistung begrenzt',
      string: 'Schwacher DC-Eingang',
      lag: 'Schwächer als die anderen',
      snow: 'Schnee',
      unexplained: 'Ungeklärt',
    },
    confidences: { high: 'sicher', medium: 'wahrscheinlich', low: 'möglich' },
  },
  es: {
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
  },
  zh: {
    causes: {
      silent: '设备无数据',
      standstill: '停机',
      grid: '电网超出范围',
      limit: '功率受限',
      exportLimit: '上网受限',
      clipping: '额定功率削峰',
      string: '直流输入偏弱',
      lag: '落后于其他逆变器',
      snow: '积雪',
      unexplained: '原因不明',
    },
    confidences: { high: '确定', medium: '很可能', low: '可能' },
  },
};
