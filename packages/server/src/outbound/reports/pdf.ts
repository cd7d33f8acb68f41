import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Language, PlantReport, ReportTable } from '@helioport/contract';
import { lazily } from '../../platform/kernel/lazily.ts';
import { reportTexts } from './texts/texts.ts';

type Paper = PDFKit.PDFDocument;

const [MARGIN, GAP, LINE] = [48, 14, 4] as const;
const COLOURS = {
  text: '#1c2320',
  soft: '#5c6660',
  line: '#d5dad7',
  produced: '#d98a00',
  expected: '#9aa5a0',
} as const;
const [BARS_HEIGHT, LOGO_WIDTH, LOGO_HEIGHT] = [110, 140, 44] as const;

/** They cover Latin, Greek and Cyrillic. */
const fonts = lazily(async () => {
  const [regular, bold] = await Promise.all(
    ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) =>
      readFile(new URL(`./fonts/${name}`, import.meta.url)),
    ),
  );
  return { regular: regular!, bold: bold! };
});

/** Prints a report on A4. A question mark stands for what its fonts lack, and it says so. */
export async function printReport(
  report: PlantReport,
  { language, isTranslated }: { readonly language: Language; readonly isTranslated: boolean },
): Promise<Buffer> {
  const texts = reportTexts[language];
  const { default: PdfDocument } = await import('pdfkit');
  const paper = new PdfDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    font: null as never,
    info: { Title: `${report.plantName} · ${report.title}`, Creator: 'Helioport' },
  });
  const printed = buffer(paper);
  const { regular, bold } = await fonts();
  paper.registerFont('regular', regular).registerFont('bold', bold);
  const print = printerOn(paper);
  head(paper, print, report);
  for (const paragraph of report.paragraphs) print.text(paragraph, { size: 11 });
  figures(paper, print, report);
  bars(paper, print, report);
  for (const table of report.tables) printTable(paper, print, table);
  paper.y += GAP;
  for (const note of report.notes) print.text(note, { size: 8, colour: COLOURS.soft });
  if (!isTranslated) print.text(UNTRANSLATED, { size: 8, colour: COLOURS.soft });
  if (print.lacked()) print.text(texts.lacking, { size: 8, colour: COLOURS.soft });
  const { count } = paper.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    paper.switchToPage(page);
    paper.page.margins.bottom = 0;
    const bottom = paper.page.height - MARGIN + GAP;
    const text = texts.page(String(page + 1), String(count));
    print.at(text, MARGIN, bottom, { width: widthOf(paper), size: 8, align: 'right' });
  }
  paper.end();
  return printed;
}

interface Style {
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly align?: 'left' | 'right';
}

/** The font in use, of which the types say nothing. */
interface Dressed {
  readonly font: { hasGlyphForCodePoint(point: number): boolean };
}

const UNTRANSLATED =
  'In English, since Chinese characters cannot be printed here. The page of the portal prints this report in Chinese.';

/** Stands for a character that the fonts lack. */
const UNPRINTABLE = '?';

type Printer = ReturnType<typeof printerOn>;

const widthOf = (paper: Paper): number => paper.page.width - 2 * MARGIN;

function printerOn(paper: Paper) {
  let isLacking = false;
  const dress = ({ size = 9, bold = false, colour = COLOURS.text }: Style): void => {
    paper
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(colour);
  };
  const known = (text: string): string => {
    const { font } = Reflect.get(paper, '_font') as Dressed;
    const shown = [...text].map((each) =>
      font.hasGlyphForCodePoint(each.codePointAt(0)!) ? each : UNPRINTABLE,
    );
    const result = shown.join('');
    isLacking ||= result !== text;
    return result;
  };
  return {
    lacked: () => isLacking,
    text(text: string, style: Style = {}): void {
      dress(style);
      paper.text(known(text), MARGIN, paper.y, { width: widthOf(paper) });
      paper.y += LINE;
    },
    at(
      text: string,
      x: number,
      y: number,
      { width, align = 'left', ...style }: Style & { readonly width: number },
    ): void {
      dress(style);
      paper.text(known(text), x, y, { width, align });
    },
    heightOf(text: string, width: number, style: Style = {}): number {
      dress(style);
      return paper.heightOfString(known(text), { width });
    },
  };
}

function head(
  paper: Paper,
  print: Printer,
  { plantName, title, company, logo }: PlantReport,
): void {
  const width = widthOf(paper) - LOGO_WIDTH - GAP;
  const right = MARGIN + width + GAP;
  print.at(plantName, MARGIN, MARGIN, { width, size: 18, bold: true });
  print.at(title, MARGIN, paper.y + LINE, { width, size: 12, colour: COLOURS.soft });
  const left = paper.y;
  let end: number = MARGIN;
  if (logo) {
    paper.image(logo, right, MARGIN, { fit: [LOGO_WIDTH, LOGO_HEIGHT], align: 'right' });
    end += LOGO_HEIGHT + LINE;
  }
  if (company) {
    print.at(company, right, end, { width: LOGO_WIDTH, align: 'right', colour: COLOURS.soft });
    end = paper.y;
  }
  paper.y = Math.max(left, end) + GAP;
}

function figures(paper: Paper, print: Printer, { figures: shown }: PlantReport): void {
  paper.y += LINE;
  const width = (widthOf(paper) - GAP) / 2;
  for (let i = 0; i < shown.length; i += 2) {
    const y = paper.y;
    const pair = shown.slice(i, i + 2);
    for (const [column, { name, value }] of pair.entries()) {
      const x = MARGIN + column * (width + GAP);
      print.at(name, x, y, { width: width * 0.6, colour: COLOURS.soft });
      print.at(value, x + width * 0.6, y, { width: width * 0.4, bold: true, align: 'right' });
    }
    paper.y = y + Math.max(...pair.map(({ name }) => print.heightOf(name, width * 0.6))) + 4;
  }
}

/** A bar for each day, with a line at what was expected. */
function bars(
  paper: Paper,
  print: Printer,
  { bars: { title, produced, expected, days } }: PlantReport,
): void {
  const most = Math.max(...days.map((day) => Math.max(day.producedKwh ?? 0, day.expectedKwh ?? 0)));
  if (most <= 0) return;
  heading(paper, print, title, BARS_HEIGHT + 40);
  const [top, step] = [paper.y, widthOf(paper) / days.length];
  const heightOf = (kwh: number): number => (kwh / most) * BARS_HEIGHT;
  for (const [i, { day, producedKwh, expectedKwh }] of days.entries()) {
    const x = MARGIN + i * step;
    const height = heightOf(producedKwh ?? 0);
    paper
      .rect(x + step * 0.15, top + BARS_HEIGHT - height, step * 0.7, height)
      .fill(COLOURS.produced);
    if (expectedKwh !== null) {
      const y = top + BARS_HEIGHT - heightOf(expectedKwh);
      paper
        .moveTo(x, y)
        .lineTo(x + step, y)
        .lineWidth(1.5)
        .stroke(COLOURS.expected);
    }
    print.at(String(Number(day.slice(8))), x, top + BARS_HEIGHT + 3, { width: step, size: 6 });
  }
  paper.y = top + BARS_HEIGHT + 14;
  const y = paper.y;
  paper.rect(MARGIN, y + 2, 8, 6).fill(COLOURS.produced);
  print.at(produced, MARGIN + 12, y, { width: 120, size: 8 });
  paper
    .moveTo(MARGIN + 140, y + 5)
    .lineTo(MARGIN + 150, y + 5)
    .lineWidth(1.5)
    .stroke(COLOURS.expected);
  print.at(expected, MARGIN + 154, y, { width: 120, size: 8 });
}

/** A heading, on the next page if what must stand below it finds no place. */
function heading(paper: Paper, print: Printer, title: string, below: number): void {
  if (paper.y + GAP + 20 + below > paper.page.height - MARGIN) paper.addPage();
  else paper.y += GAP;
  print.text(title, { size: 11, bold: true });
}

function printTable(paper: Paper, print: Printer, table: ReportTable): void {
  heading(paper, print, table.title, 30);
  if (table.rows.length === 0) return print.text(table.none, { colour: COLOURS.soft });
  const count = table.columns.length;
  const width = widthOf(paper) / count;
  const row = (cells: readonly string[], style: Style): void => {
    const height = Math.max(...cells.map((cell) => print.heightOf(cell, width - LINE, style)));
    if (paper.y + height > paper.page.height - MARGIN) paper.addPage();
    const y = paper.y;
    for (const [i, cell] of cells.entries())
      print.at(cell, MARGIN + i * width, y, {
        ...style,
        width: width - LINE,
        align: i >= count - table.figures ? 'right' : 'left',
      });
    paper.y = y + height + 3;
    paper.moveTo(MARGIN, paper.y - 1).lineTo(MARGIN + widthOf(paper), paper.y - 1);
    paper.lineWidth(0.5).stroke(COLOURS.line);
  };
  row(table.columns, { size: 8, colour: COLOURS.soft });
  for (const cells of table.rows) row(cells, { size: 8 });
}
