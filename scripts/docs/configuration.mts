import {
  clientNames,
  environmentName,
  settings,
  type Setting,
} from '../../packages/server/src/platform/config/schema.ts';

/** docs/configuration.md, generated from the table of settings. */
export function configurationPage(): string {
  const sections = Object.entries(settings as Record<string, Setting<unknown>>).map(
    ([name, setting]) => section(environmentName(name), setting),
  );
  return `# Configuration

Every setting is an environment variable. A \`.env\` file in the folder where Helioport is started, or a file given with \`--config\`, holds the same names as
\`NAME=value\` lines. The environment takes precedence over \`--config\`, which takes precedence over \`.env\`. A blank value counts as
not set. A secret can be in a file of its own: \`HELIOPORT_MASTER_KEY_FILE=/run/secrets/master-key\` instead of \`HELIOPORT_MASTER_KEY\`, and so on. The
file holds nothing but the value; to give both is a fault. \`helioport config show\` prints the settings in force, with secrets masked; \`helioport config check\` reports all faults at once.

${sections.join('\n\n')}

## For client commands

\`helioport call\`, \`sign\`, \`verify\` and \`simulate\` also read these names, only from the environment:

${Object.entries(clientNames)
  .map(([name, description]) => `- \`${name}\`: ${description}`)
  .join('\n')}
`;
}

function section(
  name: string,
  { kind, fallback, derived, secret, description }: Setting<unknown>,
): string {
  const without = derived ?? (fallback === '' ? 'none' : `\`${fallback}\``);
  return `## ${name}

${description}

- Type: ${kind.type}
- Default: ${without}${secret ? `\n- Secret: never shown or logged; or the path of a file with it in \`${name}_FILE\`` : ''}`;
}
