import { setImmediate as nextTurn } from 'node:timers/promises';
import { errors, type CollectorMessage } from '@helioport/contract';
import type { ReportingCollector } from '../../../fleet/collectors/authenticate.ts';
import { markLost } from '../../../fleet/collectors/presence.ts';
import { reportId, type RawReport } from '../../../fleet/collectors/read-report.ts';
import type { TakeReport } from '../../../fleet/collectors/report.ts';
import { splitJson } from '../../../fleet/collectors/split-json.ts';
import type { CommandExchange } from '../../../control/commands/exchange.ts';
import { RESULTS_BYTES, resultsOf } from '../../../control/commands/results.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { outdatedFailure, toFailure } from '../http/errors.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Observability } from '../http/observability.ts';

/** The outcome of a message, which the collector receives on `ack`. */
export interface Acknowledgement {
  /** Id of the message; null if it has no readable one. Such a report is stored nevertheless, and the embedded broker’s PUBACK confirms it. */
  readonly id: string | null;
  /** The HTTP status for the same outcome. */
  readonly status: number;
  /** The server’s time when the message arrived, in epoch milliseconds. */
  readonly receivedAt: number;
  /** Why the message was not accepted. */
  readonly msg?: string;
  readonly retryAfterSeconds?: number;
}

/** A message of a collector. */
export interface InboxDelivery {
  readonly message: CollectorMessage;
  readonly payload: Buffer;
}

/** Whether a message says that the collector is offline, as its last will does. */
export const isFarewell = ({ message, payload }: InboxDelivery): boolean =>
  message === 'report' && FAREWELL.test(payload.subarray(0, FAREWELL_BYTES).toString('latin1'));

const FAREWELL = /^\s*\{\s*"offline"\s*:\s*true\s*\}\s*$/;
const FAREWELL_BYTES = 100;

export interface InboxDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly takeReport: TakeReport;
  readonly exchange: CommandExchange;
  readonly observability: Observability;
  readonly isUnavailable: (error: unknown) => boolean;
  readonly schema: Pick<Outdated, 'confirm'>;
}

/** Takes the messages of collectors, from either broker. */
export interface Inbox {
  /** Never throws. When it resolves to status 200, everything accepted is durable. */
  take(
    collector: () => Promise<ReportingCollector>,
    delivery: InboxDelivery,
  ): Promise<Acknowledgement>;
}

export function createInbox({
  db,
  clock,
  takeReport,
  exchange,
  observability,
  isUnavailable,
  schema,
}: InboxDeps): Inbox {
  async function outcomeOf(
    collector: ReportingCollector,
    delivery: InboxDelivery,
  ): Promise<object> {
    const { message, payload } = delivery;
    if (isFarewell(delivery)) {
      await db.transaction().execute((trx) => markLost(trx, collector.id, clock.now()));
      return {};
    }
    if (message === 'result') return takeResults(collector, payload);
    const report: RawReport = {
      format: 'json',
      chunks: piecesOf(payload),
      isBacklog: message === 'backlog',
    };
    return takeReport(collector, report);
  }

  async function takeResults(collector: ReportingCollector, payload: Buffer): Promise<object> {
    let id: string | null = null;
    const outcome = await exchange.results(collector, () => {
      if (payload.length > RESULTS_BYTES)
        throw new Failure('tooLarge', { message: 'results may have at most 128 KiB' });
      const document = parseJsonObject(payload);
      if (document['id'] !== undefined) id = reportId(document['id']);
      return resultsOf(document);
    });
    return { id, ...outcome };
  }

  /** False if a newer version, which has the database now, may decide otherwise. */
  const isFinal = async ({ code }: Failure): Promise<boolean> =>
    ![401, 403, 500].includes(errors[code].status) || !(await schema.confirm());

  return {
    async take(collector, delivery) {
      const receivedAt = clock.now();
      try {
        return {
          id: null,
          status: 200,
          receivedAt,
          ...(await outcomeOf(await collector(), delivery)),
        };
      } catch (error) {
        const refusal = toFailure(error, 'mqtt', isUnavailable);
        const failure = (await isFinal(refusal)) ? refusal : outdatedFailure();
        const { status } = errors[failure.code];
        if (status >= 500)
          observability.failed(error, {
            requestId: '',
            listener: 'mqtt',
            operation: delivery.message,
            detail: failure.detail,
          });
        const { retryAfterSeconds } = failure.data ?? {};
        return {
          id: idOf(delivery.payload),
          status,
          receivedAt,
          msg: failure.message,
          ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
        };
      }
    },
  };
}

/** Takes well under a millisecond to read. */
const PIECE_BYTES = 16 * 1024;

/** The pieces of a message; between two of them, everything else that is ready runs, as it does while a request’s body arrives. */
async function* piecesOf(payload: Buffer): AsyncGenerator<Uint8Array> {
  yield payload.subarray(0, PIECE_BYTES);
  for (let from = PIECE_BYTES; from < payload.length; from += PIECE_BYTES) {
    await nextTurn();
    yield payload.subarray(from, from + PIECE_BYTES);
  }
}

/** Where the id of a message that was not accepted is looked for: parsing more in one go would make everything else wait. */
const ID_WITHIN_BYTES = 16 * 1024;

/** The id of a message that was not accepted, if it can be found. */
function idOf(payload: Buffer): string | null {
  let id: string | null = null;
  const splitter = splitJson({
    count() {},
    take() {},
    takeBeside(name, value) {
      if (name === 'id') id = reportId(value);
    },
  });
  try {
    splitter.write(payload.subarray(0, ID_WITHIN_BYTES));
  } catch {
    // The id may have come before the fault.
  }
  return id;
}
