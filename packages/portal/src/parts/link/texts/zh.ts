import type { Texts } from './en.ts';

const zh: Texts = {
  via: {
    tcp: 'Modbus TCP',
    rtu: '基于 TCP 的 Modbus RTU',
    serial: '串行线路',
    v5: '采集棒（V5）',
    push: '自行上报的采集棒',
    p1: 'P1',
    sml: 'SML',
    shelly: 'Shelly',
    fronius: 'Fronius Solar API',
    victron: 'Victron',
  },
  unit: (unit) => `单元 ${unit}`,
  stick: (serial) => `采集棒 ${serial}`,
  readOnly: '只读',
  title: '家中的连接',
  states: {
    answering: '有应答',
    dark: '无光：因没有光照而静默',
    silent: '静默：没有应答',
  },
  readOnlyLead:
    '不会向它写入任何内容。要从这里更改其设置，请在 collect.yaml 中为该设备写上“control: true”。',
  counters: '自采集器启动以来',
  timeouts: '过迟的应答',
  strays: '无对应请求的应答',
  reconnects: '重新连接',
  droppedValues: '舍弃的不可能值',
  collectorAway:
    '采集器离线；这是它最后上报的内容。它所在的机器是否开机，helioport-collect 是否在运行？',
  doAbout: '怎么办',
  generalSteps: [
    '设备是否通电并已连接？请将设备或其采集棒重启一次。',
    '在采集器所在的机器上，“helioport-collect status”会说明它为何静默。',
  ],
  steps: {
    tcp: [
      '它的地址是否变了？请在路由器中为它分配固定地址；“helioport-collect discover”可以找到它。',
      '许多设备只接受一个连接：请关闭其他程序，或为该设备写上“share: true”。',
      '采集棒的某些更新会关闭端口。可改用 RS485 口上的网关，或让采集棒自行上报。',
    ],
    rtu: [
      'RS485 线路的两根线是否接反？波特率是否为 9600？',
      '同一线路上的两个程序会互相干扰：请断开另一个。',
      '单元号错误时没有应答：设备菜单中会显示该号码。',
    ],
    serial: [
      '适配器是否已插好，名称是否与 collect.yaml 中一致？',
      'RS485 线路的两根线是否接反？是否有其他程序在同一线路上查询？',
      '单元号错误时没有应答：设备菜单中会显示该号码。',
    ],
    v5: [
      '采集棒的地址是否变了？请在路由器中为它分配固定地址。',
      '采集棒是否更换过？collect.yaml 中必须是新的序列号。',
      '某些更新会关闭 8899 端口。此时请让采集棒自行上报，或在 RS485 口使用网关。',
    ],
    push: [
      '采集器所在机器的地址（端口 10000）是否仍是采集棒的第二服务器？',
      '该机器的地址是否变了？请在路由器中为它分配固定地址。',
    ],
  },
};
export default zh;
