import type { Link } from '@helioport/collector';

const away = async () => ({ setback: { cause: 'away', reason: 'nobody listens' } }) as const;

/** A link to nobody, for sites whose model alone is looked at. */
export const deafLink: Link = {
  reportBytes: 1,
  report: away,
  instructions: () => new Promise(() => {}),
  results: away,
  close: async () => {},
};
