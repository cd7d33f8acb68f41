import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines on standard error: standard output belongs to what a command answers. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, formatters: { level: (label) => ({ level: label }) }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
