import type { Texts } from './en.ts';

export default {
  title: '您的电站',
  plant: '电站',
  state: '状态',
  power: '当前功率',
  today: '今日',
} satisfies Texts;
