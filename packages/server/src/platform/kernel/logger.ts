import { pino, type Logger } from 'pino';

export type { Logger };

/** Writes JSON lines to standard error: standard output is for a command's answer. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
