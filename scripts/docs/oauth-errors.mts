import { oauthErrors, type OauthAnswer } from '../../packages/contract/src/oauth.ts';

const sections: readonly (readonly [answer: OauthAnswer, title: string, lead: string])[] = [
  [
    'page',
    'Shown to the owner',
    'These never redirect: at this point it is not certain that the callback address belongs to the application.',
  ],
  [
    'redirect',
    'Sent to the callback address',
    'As `error` and `error_description`, with `state` if the request had one.',
  ],
  [
    'json',
    'Answered to the application',
    'As JSON with `error` and `error_description`, from `/oauth/token`, `/oauth/revoke` and `/oauth/introspect`.',
  ],
];

/** docs/oauth-errors.md */
export function oauthErrorsPage(): string {
  const tables = sections.map(([answer, title, lead]) => {
    const rows = Object.entries(oauthErrors).filter(([, entry]) => entry.answer === answer);
    const lines = rows.map(
      ([name, { error, status, description }]) =>
        `| \`${name}\` | \`${error}\` | ${status} | ${description} |`,
    );
    return `## ${title}\n\n${lead}\n\n| reason | \`error\` | status | description |\n|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Errors of the authorization endpoints\n\nGenerated from \`packages/contract/src/oauth.ts\`. \`helioport app errors NAME\` and the metrics name the reason.\n\n${tables.join('\n')}`;
}
