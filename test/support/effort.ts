const asked = process.env['HELIOPORT_PROVE'];

/** True in `npm run prove`, where HELIOPORT_PROVE is `full`; it may also be a share of the full counts, such as 0.1. */
export const proving = asked !== undefined;

const share = asked === 'full' ? 1 : Number(asked);

/** How much a proof does: `full` in `npm run prove`, `brief` in every `npm test`. */
export const effort = (brief: number, full: number): number =>
  proving ? Math.max(brief, Math.round(full * share)) : brief;
