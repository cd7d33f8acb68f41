/** The settings that the first lines of a proxy's sample ask for. */
export const settingsIn = (sample: string): Record<string, string> =>
  Object.fromEntries(
    [...sample.matchAll(/^# {3}(HELIOPORT_\w+)=(\S+)$/gm)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );

const LISTENERS = { ':8080': 'user-api', ':8081': 'oauth', ':8082': 'portal', ':8083': 'gateway' };

/** A proxy's sample that leads to the listeners of a running server. */
export const leadingTo = (
  addresses: Readonly<Record<string, string | undefined>>,
  sample: string,
): string =>
  Object.entries(LISTENERS).reduce(
    (text, [port, name]) => text.replace(port, `:${new URL(addresses[name]!).port}`),
    sample,
  );
