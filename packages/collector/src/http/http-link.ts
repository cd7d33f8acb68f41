import type { Clock } from '../clock.ts';
import { hasInstructions, isOutcome, isRefusal } from '../answer-shapes.ts';
import type { Answer, Link, Setback } from '../link.ts';
import type { Outcome, Report, ReportOutcome } from '../report.ts';
import { leanFetch, type LeanFetch } from './lean-fetch.ts';
import { askedPauseMs } from './retry-after.ts';

export interface HttpLinkOptions {
  /** Address of the gateway, for example `http://127.0.0.1:8083`. */
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
  readonly fetch?: LeanFetch | undefined;
  /** Called with the server's time, epoch milliseconds, with each answer that tells it. */
  readonly onTime?: ((at: number) => void) | undefined;
}

const TIMEOUT_MS = 60_000;
/** How long the gateway keeps a request for instructions open while there are none. */
const WAIT_SECONDS = 30;
/** The gateway accepts up to 8 MiB and 10,000 readings; each full MiB counts as another report. */
const REPORT_BYTES = 1_000_000;

/** Creates a link to the gateway over HTTP. */
export function createHttpLink({
  url,
  token,
  clock,
  fetch = leanFetch,
  onTime = () => {},
}: HttpLinkOptions): Link {
  const closing = new AbortController();
  const base = url.replace(/(?<!\/)\/+$/, '');

  async function exchange<T>(
    path: string,
    isAnswer: (value: unknown) => value is T,
    content?: Content,
  ): Promise<Answer<T>> {
    const authorization = `Bearer ${token}`;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const post = content && { method: 'POST', body: content.body };
    const headers = { authorization, ...(content && { 'content-type': content.type }) };
    try {
      const response = await fetch(`${base}${path}`, { ...post, headers, signal });
      const toldAt = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(toldAt)) onTime(toldAt);
      const text = await response.text();
      if (response.status !== 200) return { setback: setbackOf(response, text, clock.now()) };
      const value: unknown = JSON.parse(text);
      return isAnswer(value) ? { value } : { setback: notAGateway(text) };
    } catch (error) {
      const { message, code, cause } = error as NodeJS.ErrnoException & {
        readonly cause?: { readonly code?: string };
      };
      return {
        setback: {
          cause: 'away',
          reason: `the gateway does not answer: ${cause?.code ?? code ?? message}`,
        },
      };
    }
  }

  return {
    reportBytes: REPORT_BYTES,
    report: (report, urgency) =>
      exchange<ReportOutcome>(
        `/v1/readings${urgency === 'backlog' ? '?backlog=true' : ''}`,
        isOutcome,
        contentOf(report),
      ),
    async instructions() {
      const answer = await exchange(`/v1/commands?wait=${WAIT_SECONDS}`, hasInstructions);
      if ('setback' in answer) return answer;
      const arrivedAt = clock.now();
      return { value: answer.value.commands.map((instruction) => ({ instruction, arrivedAt })) };
    },
    results: (results) => exchange<Outcome>('/v1/results', isOutcome, json({ results })),
    close: async () => closing.abort(),
  };
}

type LeanAnswer = Awaited<ReturnType<LeanFetch>>;

interface Content {
  readonly type: string;
  readonly body: string;
}

const json = (value: object): Content => ({
  type: 'application/json',
  body: JSON.stringify(value),
});

/** Reports with this many readings are sent as lines, which the gateway reads fastest but which can hold only readings. */
const LINES_FROM = 200;

function contentOf({ readings = [], alarms, devices, sentAt }: Report): Content {
  if (alarms || devices || readings.length < LINES_FROM)
    return json({ sentAt, readings, alarms, devices });
  return {
    type: 'application/x-ndjson',
    body: readings.map((reading) => `${JSON.stringify(reading)}\n`).join(''),
  };
}

function setbackOf({ status, headers }: LeanAnswer, text: string, now: number): Setback {
  const reason = `the gateway answers ${status}: ${text.slice(0, 300)}`;
  if (status === 401 || status === 403) return { cause: 'barred', reason };
  if (status === 408 || status === 429 || status >= 500)
    return { cause: 'away', reason, pauseMs: askedPauseMs(headers.get('retry-after'), now) };
  // Dropping a report would not help: the address is wrong, and the token goes to no other.
  if (status >= 300 && status < 400)
    return {
      cause: 'away',
      reason: `the gateway is elsewhere, at ${headers.get('location')}: write that address`,
    };
  // Whatever else answers at the address says nothing about the report: a proxy without the route, a captive portal, another server.
  return { cause: REFUSALS.has(status) && isRefusal(text) ? 'malformed' : 'away', reason };
}

/** Answers of a gateway to what it will never accept. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 415]);

const notAGateway = (text: string): Setback => ({
  cause: 'away',
  reason: `that is no answer of a gateway: ${text.slice(0, 100)}`,
});
