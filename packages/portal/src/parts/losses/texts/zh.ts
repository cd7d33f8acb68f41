import type { Texts } from './en.ts';

const zh: Texts = {
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
  inverter: (sn) => `逆变器 ${sn}`,
  limitOf: (power) => `上限 ${power}`,
  setBy: { person: '由用户设置', program: '由应用设置', operator: '由运营方设置', other: '设置' },
  on: (who, day) => `${day}${who}`,
  input: (input, share) => `输入 ${input} 仅为应有水平的 ${share}`,
  share: (share) => `仅为应有水平的 ${share}`,
  alarm: (code) => `告警 ${code}`,
  coldest: (temperature) => `最低气温 ${temperature}`,
  days: (_, shown) => `共 ${shown} 天`,
};
export default zh;
