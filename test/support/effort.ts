/** True in `npm run prove`. */
export const proving = process.env['HELIOPORT_PROVE'] === 'full';

/** How much a proof does: `full` in `npm run prove`, `brief` in every `npm test`. */
export const effort = (brief: number, full: number): number => (proving ? full : brief);
