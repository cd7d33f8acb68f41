const asked = process.env['HELIOPORT_PROVE'];

/** True in `npm run prove`, where HELIOPORT_PROVE is `full`; it may also be a share of the full counts, such as 0.1. `brief`: what a commit has to pass. */
export const proving = asked !== undefined && asked !== 'brief';

const share = asked === 'full' ? 1 : Number(asked);

/** How much a proof does: `full` in `npm run prove`, `brief` in every `npm test` and in `.ci/run`. */
export const effort = (brief: number, full: number): number =>
  proving ? Math.max(brief, Math.round(full * share)) : brief;
