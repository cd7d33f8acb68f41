import type { Texts } from './en.ts';

const zh: Texts = {
  mayInstall: '可查看、控制和配置',
  mayControl: '可查看和控制',
  maySee: '可查看',
  email: '电子邮箱',
  level: '此人的权限',
  invite: '邀请',
  invited: (email) => `已邀请 ${email}。`,
  alreadyMay: (email, may, plants) => `${email} 已经${may}${plants}。`,
  changeLevelOf: (email) => `更改 ${email} 的权限？`,
  changeLevelTo: (may) => `更改为：${may}`,
  changeLevelLead: '更改立即生效，无需邀请。',
  levelChanged: (email, may, plants) => `${email} 现在${may}${plants}。`,
  refused: (expected) => `应为：${expected}`,
  thePlant: '该电站',
  thisPlant: '此电站',
  may: {
    read: (plant) => `可查看${plant}。`,
    control: (plant) => `可查看和控制${plant}。`,
    install: (plant) => `可查看、控制和配置${plant}。`,
  },
  since: (when) => `自 ${when} 起。`,
  acceptedOn: (when) => `已于 ${when} 接受邀请。`,
  asked: {
    read: (plant) => `已被邀请查看${plant}，尚未答复。`,
    control: (plant) => `已被邀请查看和控制${plant}，尚未答复。`,
    install: (plant) => `已被邀请查看、控制和配置${plant}，尚未答复。`,
    installer: (plant) => `已被请求维护${plant}，尚未答复。`,
    owner: (plant) => `已被邀请接手${plant}，尚未答复。`,
  },
  until: (when) => `邀请可在 ${when} 之前接受。`,
  company: {
    asks: {
      member: (from, name) => `${from} 邀请您加入公司 ${name}。`,
      manager: (from, name) => `${from} 邀请您以管理员身份加入公司 ${name}。`,
    },
    lead: '加入后您可看到公司的电站，公司管理员也能看到您是成员。',
    leaveFirst: (own) => `您已加入 ${own}。如要加入，请先退出该公司。`,
    toOwn: '前往我的公司',
    accept: '接受',
    decline: '拒绝',
    joined: (name) => `您已加入 ${name}，其电站（包括以后新增的）会显示在您的列表中。`,
  },
};
export default zh;
