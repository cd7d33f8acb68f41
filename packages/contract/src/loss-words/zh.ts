import type { LossWords } from './en.ts';

export const lossWords: LossWords = {
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
};
