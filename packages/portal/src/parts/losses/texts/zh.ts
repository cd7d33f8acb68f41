import { lossWords } from '@helioport/contract/loss-words/zh';
import type { Texts } from './en.ts';

const zh: Texts = {
  ...lossWords,
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
