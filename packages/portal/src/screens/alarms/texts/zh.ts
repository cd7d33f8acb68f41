import type { Texts } from './en.ts';

export default {
  title: '告警',
  settings: '通知设置',
  filters: '显示哪些告警',
  state: '状态',
  states: { open: '未处理', processed: '已处理', ended: '已结束', all: '全部' },
  level: '级别',
  anyLevel: '所有级别',
  fromAlarm: '告警和紧急',
  onlyEmergencies: '仅紧急',
  plant: '电站',
  anyPlant: '所有电站',
  allPlants: '显示所有电站',
  from: '开始日期不早于',
  to: '开始日期不晚于',
  reset: '显示所有未处理告警',
  nothingFound: '没有符合条件的告警',
  allWell: '一切正常',
  allWellLead: '您的电站没有未处理的告警。',
  showAll: '显示过去的告警',
} satisfies Texts;
