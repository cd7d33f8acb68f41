// What spreadsheets begin a formula with, full-width and small forms included, behind white space, marks that nobody sees and quotes. It is looked for
// first: looking back from everywhere takes a time that grows with the square of the text.
const FORMULA =
  /(?=[=+\-@−＝＋－＠﹦﹢﹣﹫])(?<=(?:^|[,;\t\r\n])[\s\p{C}\p{Z}"'`´‘’“”„«»]*)[=+\-@−＝＋－＠﹦﹢﹣﹫]/gu;
const FIGURE = /^[+-]?\d+(\.\d+)?$/;

/**
 * A text for a cell of a CSV file, with an apostrophe before what a spreadsheet would take for a formula, since names come from other people. Also
 * behind what separates cells: some spreadsheets split at another separator than the file's. Figures stay as they are.
 */
export const spreadsheetText = (text: string): string => {
  if (FIGURE.test(text)) return text;
  const marked = text.replaceAll(FORMULA, "'$&");
  return /^[\t\r]/.test(marked) ? `'${marked}` : marked;
};
