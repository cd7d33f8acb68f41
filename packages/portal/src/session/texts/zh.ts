import type { Texts } from './en.ts';

export default {
  title: '登录',
  lead: '随时了解您的屋顶正在发多少电、带来了多少收益。',
  email: '电子邮箱',
  password: '密码',
  showPassword: '显示密码',
  submit: '登录',
  wrong: '电子邮箱或密码不正确。',
  throttled: '尝试次数过多，请等待半分钟后再试。',
  away: '服务器没有响应，请稍后重试。',
  demo: '进入演示',
  demoLead: '这是使用模拟电站的演示，此处的操作不会影响任何真实设备。',
  ended: '请重新登录',
  endedLead: '您的会话已结束。页面保持不变，您输入的内容不会丢失。',
} satisfies Texts;
