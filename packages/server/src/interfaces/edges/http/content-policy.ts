import { createHash } from 'node:crypto';

/** The content security policy of a page with exactly these inline parts, which needs nothing from elsewhere. */
export const policyOf = ({
  style,
  script,
}: {
  readonly style: string;
  readonly script?: string;
}): string =>
  [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${digestOf(script)}'`]),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const digestOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;
