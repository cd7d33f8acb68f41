import { HelioportError, systemClock, timerPause, type Clock, type Pause } from '@helioport/sdk';
import type { DeviceDescription } from './inventory.ts';
import type { Reading } from './readings.ts';

/** The gateway's answer to a report. */
export interface Acknowledgement {
  accepted: number;
  duplicate: number;
  refused: { index: number; reason: string }[];
}

export interface CollectorOptions {
  /** Address of the gateway, for example `http://127.0.0.1:8083`. */
  gatewayUrl: string;
  token: string;
  /** Readings in one request; the gateway takes up to 10,000 or 8 MiB. */
  batchSize?: number;
  fetch?: typeof fetch;
  clock?: Clock;
  pause?: Pause;
  signal?: AbortSignal;
}

/** Reports readings and keeps them until the gateway has acknowledged them. */
export interface Collector {
  /**
   * Reports readings, and descriptions of devices. Rejects only if the gateway refuses the request itself, or with the signal's
   * reason. Indexes in `refused` count from the first reading.
   */
  report(readings: readonly Reading[], devices?: readonly DeviceDescription[]): Promise<Acknowledgement>;
}

const TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** A collector that speaks the gateway's protocol, and knows nothing else about the server. Throws TypeError if the address is not a URL. */
export function createCollector(options: CollectorOptions): Collector {
  const { batchSize = 2000 } = options;
  // Otherwise, an invalid address would look like an unreachable gateway.
  if (!URL.canParse(options.gatewayUrl)) throw new TypeError(`not a URL: ${options.gatewayUrl}`);
  return {
    async report(readings, devices = []) {
      const sum: Acknowledgement = { accepted: 0, duplicate: 0, refused: [] };
      for (let from = 0; from < readings.length; from += batchSize) {
        const answer = await deliver(options, readings.slice(from, from + batchSize), from === 0 ? devices : []);
        sum.accepted += answer.accepted;
        sum.duplicate += answer.duplicate;
        sum.refused.push(...answer.refused.map(({ index, reason }) => ({ index: from + index, reason })));
      }
      return sum;
    },
  };
}

/** Repeats until there is an answer: reports are idempotent by device and time. */
async function deliver(options: CollectorOptions, readings: readonly Reading[], devices: readonly DeviceDescription[]): Promise<Acknowledgement> {
  const { pause = timerPause, signal } = options;
  // NDJSON can hold only readings.
  const report =
    devices.length > 0
      ? { type: 'application/json', body: JSON.stringify({ readings, devices }) }
      : { type: 'application/x-ndjson', body: readings.map((reading) => `${JSON.stringify(reading)}\n`).join('') };
  for (let failures = 0; ; failures++) {
    const answer = await post(options, report);
    if ('acknowledgement' in answer) return answer.acknowledgement;
    await pause(answer.pauseMs ?? Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS), signal);
  }
}

async function post(
  { gatewayUrl, token, fetch = globalThis.fetch, clock = systemClock, signal }: CollectorOptions,
  { type, body }: { type: string; body: string },
): Promise<{ acknowledgement: Acknowledgement } | { pauseMs: number | undefined }> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${gatewayUrl}/v1/readings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    text = await response.text();
  } catch {
    if (signal?.aborted) throw signal.reason;
    return { pauseMs: undefined };
  }
  if (response.status === 200) return { acknowledgement: JSON.parse(text) as Acknowledgement };
  if (response.status === 429 || response.status >= 500) return { pauseMs: askedPause(response.headers, clock) };
  const message = `the gateway refuses the report: ${text.slice(0, 300)}`;
  throw new HelioportError({ operation: 'readings', status: response.status, code: String(response.status), message });
}

/** The pause that the gateway asks for with Retry-After, in milliseconds. RFC 9110 10.2.3 */
function askedPause(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, LONGEST_PAUSE_MS);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.min(at - clock.now(), LONGEST_PAUSE_MS));
}
