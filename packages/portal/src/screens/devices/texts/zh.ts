import type { Texts } from './en.ts';

export default {
  manage: '绑定或解绑设备',
  title: '设备',
  none: '还没有设备',
  byState: '按状态统计设备',
  search: '按名称、序列号或型号搜索',
  allKinds: (count) => `全部类型（${count}）`,
  nothingFound: '没有匹配的设备',
  showAll: '显示全部设备',
} satisfies Texts;
