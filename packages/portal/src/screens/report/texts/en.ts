const en = {
  back: 'Back to the plant',
  earlier: 'The month before',
  later: 'The month after',
  print: 'Print',
  pdf: 'PDF',
  pdfNote: 'The PDF is in English, since it has no Chinese characters. This page prints them.',
};
export type Texts = typeof en;
export default en;
