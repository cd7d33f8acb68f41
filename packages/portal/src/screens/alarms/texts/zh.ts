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
  levels: { 1: '提示', 2: '告警', 3: '紧急' },
  stateNames: { 0: '未处理', 1: '已处理，尚未结束', 2: '已结束' },
  device: '设备',
  since: (time: string) => `自 ${time}`,
  fromTo: (from: string, to: string) => `${from} 至 ${to}`,
  lasted: (time: string) => `持续 ${time}`,
  minutes: (n: string) => `${n} 分钟`,
  hours: (n: string) => `${n} 小时`,
  process: '标记为已处理',
  processed: '已标记为已处理。原因消除后告警即结束。',
  mayNot: '只有可控制该电站的人才能这样做，并且告警须未处理。',
  failed: '操作失败，请重试。',
  // As in messages (server/src/news/texts); a test compares them.
  alarms: {
    H101: {
      title: '设备未上报',
      advice: '请检查电源、采集器及其网络。',
    },
    H102: {
      title: '白天无发电',
      advice: '请检查直流开关、熔断器和逆变器显示屏；组件积雪也会如此。',
    },
    H103: {
      title: '组串明显低于其他组串',
      advice: '请检查该组串的熔断器、接头和组件，并留意正午是否有遮挡。',
    },
    H104: {
      title: '电网电压超出范围',
      advice: '若持续出现，请咨询电网公司，并检查逆变器与电表之间电缆的长度和截面。',
    },
    H105: {
      title: '电网频率超出范围',
      advice: '在公共电网上无需处理；离网时请检查发电机和电池逆变器。',
    },
    H106: {
      title: '设备过热',
      advice: '请检查风扇和进风口，以及外壳是否受阳光直射；逆变器会自行降低功率。',
    },
    H107: {
      title: '电池过热',
      advice: '请停止充电，远离电池，并联系其安装商。',
    },
    H108: {
      title: '通信中断',
      advice: '请检查采集器的无线信号和网络。',
    },
    H109: {
      title: '数值没有变化',
      advice: '显示的数值已过时：请重启采集器，并检查其与设备之间的电缆。',
    },
  },
} satisfies Texts;
