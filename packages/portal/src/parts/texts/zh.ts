import type { Texts } from './en.ts';

export default {
  again: '重试',
  close: '关闭',
  failed: '无法加载',
  noPermission: '不存在，或您无权访问',
  unreachable: '服务器暂时没有响应',
  state: { online: '在线', offline: '离线', alarm: '告警' },
  cancel: '取消',
  copy: '复制',
  copied: '已复制',
  plant: {
    all: '全部电站',
    localTime: (time, zone) => `${zone} 当地时间 ${time}`,
    lastReport: (ago) => `上次上报：${ago}`,
  },
  table: {
    range: (from, to, total) => `第 ${from}–${to} 项，共 ${total} 项`,
    previous: '上一页',
    next: '下一页',
  },
  chart: {
    zoomIn: '放大',
    zoomOut: '缩小',
    whole: '显示全部',
    asTable: '以表格显示',
    asChart: '以图表显示',
    csv: '下载 CSV',
    time: '时间',
    hint: '在图表上拖动即可放大。',
    summary: (title, from, to) => `${title}，${from} 至 ${to}`,
    series: '显示内容',
    clock: (zone) => `时间为 ${zone}`,
    nothing: '此时段没有读数',
  },
} satisfies Texts;
