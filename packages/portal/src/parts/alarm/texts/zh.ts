import { deviceAdvice } from '@helioport/contract/alarm-words/device/zh';
import { alarmWords } from '@helioport/contract/alarm-words/zh';
import type { Texts } from './en.ts';

export default {
  levels: { tip: '提示', general: '告警', emergency: '紧急' },
  stateNames: { pending: '未处理', processed: '处理中', restored: '已结束' },
  lost: (what) => `目前损失：${what}`,
  device: '设备',
  since: (time: string) => `自 ${time}`,
  fromTo: (from: string, to: string) => `${from} 至 ${to}`,
  lasts: (time: string) => `已持续 ${time}`,
  lasted: (time: string) => `持续 ${time}`,
  minutes: (n: string) => `${n} 分钟`,
  hours: (n: string) => `${n} 小时`,
  process: '我来处理',
  processed: '由您处理。原因消除后告警即结束。',
  reopen: '重新设为未处理',
  reopened: '已重新标为未处理。',
  youAreOnIt: (when: string) => `您自 ${when} 起处理`,
  note: '备注',
  noteLead: '您的打算或发现。能看到此告警的人都能看到备注。',
  addNote: '添加备注',
  changeNote: '修改备注',
  saveNote: '保存备注',
  removeNote: '删除备注',
  noNote: '不写备注',
  keepNote: '保持不变',
  noted: (when: string) => `写于 ${when}`,
  taken: (who: string, when: string) => `由${who}处理，${when}`,
  you: '您',
  operator: '运营方',
  owner: '电站业主',
  somebody: '其他人',
  reopenTitle: '撤销他人的处理？',
  reopenLead: '对方可能正在处理。撤销后，此告警对所有人重新变为未处理。',
  mayNot: '只有可控制该电站的人才能这样做，并且告警须未处理。',
  failed: '操作失败，请重试。',
  emergencyAdvice: {
    owner:
      '设备自行报告的紧急情况：其供电的线路可能已断电。请查看设备显示屏，不要重新合上自动断开的开关。若有发热、异味或冒烟，请远离并拨打火警电话；否则请联系安装商。',
    installer:
      '设备自行报告的紧急情况。请让现场人员远离设备，在设备手册中查询代码，打开设备前先断开交流和直流。',
  },
  alarms: alarmWords,
  deviceAdvice,
} satisfies Texts;
