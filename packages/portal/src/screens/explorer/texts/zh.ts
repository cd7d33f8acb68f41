import type { Texts } from './en.ts';

const zh: Texts = {
  title: '接口浏览器',
  lead: '以您自己的身份调用签名接口的任何操作，无需密钥对，并显示效果相同的签名请求。',
  operation: '操作',
  find: '按名称或用途查找',
  found: (count) => (count === 0 ? '没有匹配项。' : `${count} 项匹配。`),
  writes: '会更改数据',
  required: '必需',
  unset: '不发送',
  send: '发送',
  warnTitle: '这会更改数据',
  warnLead: '将立即对您的电站和设备执行。',
  warnSend: '执行',
  answer: '应答',
  took: (ms) => `用时 ${ms} 毫秒`,
  unreachable: '服务器没有应答，请稍后再试。',
  cut: '仅显示开头部分。',
  signed: '相同的签名请求',
  signedLead: '粘贴到有 curl 和 openssl 的终端，并用您自己的密钥对替换大写的词。',
  keys: '您的密钥对',
  script: '命令',
  stringToSign: '待签名字符串',
  stringLead: '使用上面的正文和此 Date。每行以单个换行符结束；末尾没有换行符。',
  copy: '复制',
  copied: '已复制',
};
export default zh;
