import type { Logger } from '../../platform/kernel/logger.ts';
import type { Db } from '../../platform/storage/database.ts';
import { findHome, settleHome } from './home.ts';
import type { Series } from './port.ts';
import { SeriesFault } from './series-fault.ts';

/** How often it is looked where the series are: for so long, reports are refused after a move. */
const EVERY_MS = 1_000;

/** The series have moved to an engine that the settings do not name. */
export const settingFault = (engine: string): SeriesFault =>
  new SeriesFault(
    `the series of this installation are in ${engine}: set HELIOPORT_SERIES_URL to its address`,
  );

/** The series of an installation whose settings name more than one engine: whichever they are in. */
export interface FollowingSeries extends Series {
  readonly inForce: () => Series;
  /** Looks where the series are, and opens that engine if they have moved. */
  look(): Promise<void>;
}

interface FollowingSources {
  readonly db: Db;
  /** The engines that the settings name, the one for a new installation first; all have the same field lists. */
  readonly engines: readonly [Series, ...Series[]];
  /** Where the series are now, by Series.name. */
  readonly where: string;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/** Follows the series from one engine to another (docs/adr/0051-moving-house.md). An engine is opened when the series are in it. */
export function createFollowingSeries({
  db,
  engines,
  where,
  logger,
}: FollowingSources): FollowingSeries {
  const [configured] = engines;
  const engineOf = (name: string): Series | undefined =>
    engines.find((engine) => engine.name === name);
  let current: Series = engineOf(where) ?? configured;
  let timer: NodeJS.Timeout | undefined;
  /** The engine that the settings lack, once that has been said. */
  let missing: string | undefined;
  let closed = false;
  const opened = new Set<Series>();

  async function moveTo(engine: Series): Promise<void> {
    if (!opened.has(engine)) {
      await engine.open();
      opened.add(engine);
    }
    current = engine;
  }

  async function look(): Promise<void> {
    const home = await findHome(db);
    if (!home || home.engine === current.name) return;
    const engine = engineOf(home.engine);
    if (engine) {
      await moveTo(engine);
      missing = undefined;
      logger.info({ engine: engine.name }, 'the series have moved here');
    } else if (missing !== home.engine) {
      missing = home.engine;
      logger.error(settingFault(home.engine).message);
    }
  }

  function lookAgain(): void {
    if (closed) return;
    timer = setTimeout(() => {
      // The database or the engine may be away; attempts are refused as long as they are in the wrong one.
      void look()
        .catch((err: unknown) => logger.error({ err }, 'the series could not be followed'))
        .then(lookAgain);
    }, EVERY_MS).unref();
  }

  const own: Partial<FollowingSeries> = {
    inForce: () => current,
    look,
    async open() {
      const home = await settleHome(db, configured.name);
      const engine = engineOf(home);
      if (!engine) throw settingFault(home);
      await moveTo(engine);
      lookAgain();
    },
    isReady: async () => missing === undefined && current.isReady(),
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(engines.map((engine) => engine.close()));
    },
  };
  return new Proxy(own as FollowingSeries, {
    get: (_, name: keyof FollowingSeries) => own[name] ?? current[name as keyof Series],
  });
}
