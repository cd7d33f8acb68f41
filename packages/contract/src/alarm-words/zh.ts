import type { alarmWords as english, AlarmWords } from './en.ts';

export const alarmWords: Readonly<Record<keyof typeof english, AlarmWords>> = {
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
    adviceAtNothing: '组串完全不发电是断路，而非遮挡：请测量其电压。若为 0 V，检查熔断器、隔离开关和接头；若有电压，检查逆变器的输入端。',
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
};
