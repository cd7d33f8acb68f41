import { pino, type Logger } from 'pino';

export type { Logger };

/**
 * Writes JSON lines to standard error: standard output is for a command's answer.
 * @param isOutage whether an error says that a store is away: its stack, the same for everything that fails meanwhile, would fill the log
 */
export function createLogger(level: string, isOutage: (error: unknown) => boolean): Logger {
  return pino(
    {
      level,
      serializers: {
        err: (error: Error) =>
          isOutage(error)
            ? { type: error.name, message: error.message }
            : pino.stdSerializers.err(error),
      },
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
