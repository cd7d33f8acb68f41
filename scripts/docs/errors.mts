import { errors, type ErrorEntry } from '../../packages/contract/src/errors.ts';

/** docs/errors.md, generated from the registry of refusals. */
export function errorsPage(): string {
  const rows = Object.entries(errors as Record<string, ErrorEntry>).map(
    ([name, { code, status, message, advice }]) =>
      `| \`${code}\` | ${status} | ${cell(message)} | ${cell(advice)} | ${name} |`,
  );
  return `# Errors

Every answer of the user-level interface and of the OAuth resource interface is the envelope \`{success, code, msg, data}\`;
\`code\` is always a string, \`"0"\` for success. Business errors have HTTP status 200, as existing clients expect: read \`code\`, not the status.
\`msg\` may say more than the text below. The last column is the name in the sources.

| code | HTTP | msg | what to do | name |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
