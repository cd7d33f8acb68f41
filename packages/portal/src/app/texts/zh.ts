import type { Texts } from './en.ts';

export default {
  navigation: {
    label: '主导航',
    overview: '总览',
    alarms: '告警',
    access: '授权',
    account: '账户',
  },
  skip: '跳到内容',
  home: 'Helioport，返回总览',
  menu: '账户与设置',
  signedInAs: '当前登录账号',
  language: '语言',
  look: '外观',
  auto: '跟随设备',
  light: '浅色',
  dark: '深色',
  signOut: '退出登录',
  signIn: '登录',
  unreachable: '无法连接服务器。当前显示的内容可能不是最新的，正在不断重试。',
  back: '已恢复连接。',
  notFound: '页面不存在',
  notFoundLead: '页面可能已移动，或者地址有误。',
  toOverview: '返回总览',
  broken: '此页面出现问题',
  reload: '重新加载页面',
} satisfies Texts;
