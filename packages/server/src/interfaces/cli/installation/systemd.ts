import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from '../../../platform/kernel/logger.ts';

/** What may be sent to the service manager (sd_notify(3)). */
type State = 'READY=1' | 'RELOADING=1' | 'STOPPING=1';

/** systemd, if it waits to hear how its service is. */
export interface ServiceManager {
  tell(state: State): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const isManaged = (environment: Environment): boolean =>
  environment['NOTIFY_SOCKET'] !== undefined;

const LIMIT_MS = 5_000;

/** The service manager that has started this process; undefined if none has, or if it does not wait for anything. */
export function findServiceManager(
  environment: Environment,
  logger: Logger,
): ServiceManager | undefined {
  if (!isManaged(environment)) return undefined;
  return {
    // Node has no datagram sockets in the file system, to which one would write oneself.
    tell: (state) =>
      promisify(execFile)('systemd-notify', [state], { timeout: LIMIT_MS }).then(
        () => {},
        (err: unknown) => logger.error({ err, state }, 'the service manager could not be notified'),
      ),
  };
}
