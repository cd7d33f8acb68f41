import type { NewsTexts } from './news-texts.ts';

export const zh: NewsTexts = {
  levels: { 1: '提示', 2: '告警', 3: '紧急' },
  says: { began: '已开始', ended: '已结束', both: '曾发生，已结束' },
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
  deviceAlarm: (code) => `设备告警 ${code}`,
  at: (place) => `位于 ${place}`,
  device: (sn) => `设备 ${sn}`,
  since: (time) => `自 ${time}`,
  fromTo: (from, to) => `${from} 至 ${to}`,
  several: (alarms, plants) => `${plants} 个电站共 ${alarms} 条告警`,
  more: (number) => `另有 ${number} 条`,
  open: '查看告警',
  why: '您收到此邮件，是因为您的账户已开启告警邮件。',
  stop: '停止接收这类邮件',
  test: { title: '测试', body: '您的电站消息将以这种形式呈现。' },
  stopPage: {
    title: '关于您电站的邮件',
    question: '要停止接收这类邮件吗？其他设置保持不变。',
    button: '停止',
    done: '已停止。您可以在门户中重新开启。',
    unreadable: '此链接不完整。请在门户中选择要接收的内容。',
  },
  weekly: {
    subject: (week) => `您的一周：${week}`,
    summary: (kwh, change) => `您的电站共发电 ${kwh} kWh${change === undefined ? '' : `，与前几周平均相比 ${change}`}。`,
    produced: '发电量',
    weekBefore: '前一周',
    average: '前四周平均',
    bestDay: '最佳日',
    income: '收益',
    co2: '减少的 CO₂',
    alarms: '新增告警',
    quiet: '没有未结束的告警，无需处理。',
    toDo: (number) => `待处理：${number} 条`,
    open: '打开您的电站',
    why: '您收到此邮件，是因为您的账户已开启每周摘要。',
    nothing: '上周您的电站没有测量数据。',
    onlyFirst: (plants) => `数据仅包含您的前 ${plants} 个电站。`,
  },
};
