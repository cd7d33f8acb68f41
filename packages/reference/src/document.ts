import { html, type Html } from './html.ts';

/** The parts of a page. */
interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
  readonly script?: string;
  /** Of its text; en by default. */
  readonly language?: string;
}

/** A whole HTML page without external resources; style sheet and script are inline. */
export const documentOf = ({
  title,
  style,
  body,
  script,
  language = 'en',
}: PageParts): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html`${title}`.markup}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body.markup}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
