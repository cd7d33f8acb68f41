import type { Texts } from './en.ts';

const zh: Texts = {
  title: '您的数据',
  lead: '您账户的全部内容，打包为 ZIP：电站、设备、电价、共享、告警、指令、策略、审计记录和所有测量数据。密钥对仅列出，不含 KeySecret。',
  format: '测量数据格式',
  csv: 'CSV，用于电子表格',
  parquet: 'Parquet，用于数据库',
  start: '准备压缩包',
  underway: (percent) => `正在写入压缩包：${percent}。您可以离开此页。`,
  ready: (size, until) => `已完成，${size}，保留至 ${until}。`,
  download: '下载',
  cancel: '取消',
  remove: '删除压缩包',
  again: '准备新的压缩包会删除此压缩包。',
  failed: '操作未能完成。',
};
export default zh;
