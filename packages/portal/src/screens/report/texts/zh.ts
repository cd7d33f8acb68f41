import type { Texts } from './en.ts';

const zh: Texts = {
  back: '返回电站',
  earlier: '上个月',
  later: '下个月',
  print: '打印',
  pdf: 'PDF',
  pdfNote: 'PDF 不含中文字符，因此为英文。如需中文报告，请打印本页。',
};
export default zh;
