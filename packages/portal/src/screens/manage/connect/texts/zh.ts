import type { Texts } from './en.ts';

const zh: Texts = {
  title: '连接设备',
  lead: '家中一台机器上的小程序查询设备，并向本电站上报。家中无需任何设备可从外部访问。',
  have: '您有什么设备？',
  families: {
    solis: '锦浪（Solis），或用于 SolisCloud 的采集棒',
    deye: '德业（Deye）或 Sunsynk',
    sofar: '首航（Sofar）或 ZCS Azzurro',
    sunspec: 'SunSpec：Fronius、SMA、SolarEdge、Kostal 等',
    meter: '电表',
    own: '自行上报的程序',
  },
  first: {
    solis:
      '开放 8899 端口的采集棒（S1、S2、DLS）无需设置。其他型号仅在部分固件下支持 502 端口的 Modbus；RS485 口上的网关始终可用。许多采集棒只接受一个连接：期间厂商的云端可能没有数据。',
    deye: 'WiFi 采集棒监听 8899 端口，LAN 采集棒监听 8899 或 502 端口。新固件会关闭该端口；此时请在 RS485 口使用网关。',
    sofar: '采集棒监听 8899 端口。没有采集棒时，请在 RS485 口使用网关。',
    sunspec: '请在逆变器的网页或显示屏上启用 Modbus TCP。控制功能通常需要在那里单独启用。',
    meter:
      'SunSpec 电表：启用 Modbus TCP。智能电表：将 P1 口的线缆或红外读头插到机器上。Shelly 无需设置。',
    own: '它使用令牌通过 HTTP 发送读数。具体方式见采集器协议。',
  },
  createLead: '这会为电站添加一个采集器。',
  createFile: '创建文件和令牌',
  createToken: '创建令牌',
  toDo: '接下来怎么做',
  install: '在家中一台装有 Node 20 或更新版本的机器（例如树莓派）上安装程序 helioport-collect。',
  saveBoth: '将两个文件保存在该机器的同一文件夹中，并在 collect.yaml 中填写设备的地址。',
  token: '令牌',
  tokenFile: '请保存为名为“token”的文件。',
  once: '令牌仅在此时显示',
  onceLead: '持有令牌者可以为本电站上报数据。如果丢失，请在此处另建一个。',
  unknownAddress: '如果不知道地址：此命令会查找家中的设备，并自行写入 collect.yaml。',
  search: '查找设备',
  start: '启动',
  gateway: '上报地址',
  serial: '采集器序列号',
  thenBind: '找到的设备会在几分钟内出现在电站设置中，可在那里绑定。',
  toDevices: '前往电站的设备',
  file: {
    address: '采集棒、逆变器、电表或网关的地址',
    others: '其他方式：',
    control: '没有下一行时，不会向设备写入任何内容',
  },
};
export default zh;
