import { alarmWords } from '@helioport/contract/alarm-words/zh';
import type { Texts } from './en.ts';

export default {
  levels: { 1: '提示', 2: '告警', 3: '紧急' },
  stateNames: { 0: '未处理', 1: '处理中', 2: '已结束' },
  device: '设备',
  since: (time: string) => `自 ${time}`,
  fromTo: (from: string, to: string) => `${from} 至 ${to}`,
  lasts: (time: string) => `已持续 ${time}`,
  lasted: (time: string) => `持续 ${time}`,
  minutes: (n: string) => `${n} 分钟`,
  hours: (n: string) => `${n} 小时`,
  process: '我来处理',
  processed: '由您处理，现位于“处理中”。原因消除后告警即结束。',
  reopen: '重新设为未处理',
  reopened: '已重新标为未处理。',
  taken: (who: string, when: string) => `由${who}处理，${when}`,
  you: '您',
  operator: '运营方',
  owner: '电站业主',
  somebody: '其他人',
  reopenTitle: '撤销他人的处理？',
  reopenLead: '对方可能正在处理。撤销后，此告警对所有人重新变为未处理。',
  mayNot: '只有可控制该电站的人才能这样做，并且告警须未处理。',
  failed: '操作失败，请重试。',
  alarms: alarmWords,
} satisfies Texts;
