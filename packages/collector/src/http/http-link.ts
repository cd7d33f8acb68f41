import { instructionsIn } from '../answers/instructions.ts';
import { outcomeIn } from '../answers/outcome.ts';
import { envelopeIn, setbackOf, strange } from '../answers/refusal.ts';
import { parsedJson } from '../answers/shapes.ts';
import type { Clock } from '../clock.ts';
import type { Answer, Link, Setback } from '../link.ts';
import type { Report } from '../report.ts';
import { leanFetch, type LeanFetch } from './lean-fetch.ts';
import { askedPauseMs, httpDate } from './retry-after.ts';

export interface HttpLinkOptions {
  /** Address of the gateway, for example `http://127.0.0.1:8083`. */
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
  readonly fetch?: LeanFetch | undefined;
  /** How long an answer may take as a whole, milliseconds. */
  readonly timeoutMs?: number;
  /** Called with the server's time, epoch milliseconds, with each answer of the server itself that tells it. */
  readonly onTime?: ((at: number) => void) | undefined;
}

const TIMEOUT_MS = 60_000;
const TOO_LARGE = 413;
/** How long the gateway keeps a request for instructions open while there are none. */
const WAIT_SECONDS = 30;
/** The gateway accepts up to 8 MiB and 10,000 readings; each full MiB counts as another report. */
const REPORT_BYTES = 1_000_000;
/** An answer names each element of a report at most. */
const ANSWER_BYTES = 4_000_000;

/** Creates a link to the gateway over HTTP. */
export function createHttpLink({
  url,
  token,
  clock,
  fetch = leanFetch,
  timeoutMs = TIMEOUT_MS,
  onTime = () => {},
}: HttpLinkOptions): Link {
  const closing = new AbortController();
  const base = url.replace(/(?<!\/)\/+$/, '');

  async function exchange<T>(
    path: string,
    read: (value: unknown) => T | undefined,
    content?: Content,
  ): Promise<Answer<T>> {
    const authorization = `Bearer ${token}`;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
    const post = content && { method: 'POST', body: content.body };
    const headers = { authorization, ...(content && { 'content-type': content.type }) };
    try {
      const response = await fetch(`${base}${path}`, {
        ...post,
        headers,
        signal,
        redirect: 'manual',
        bytesAtMost: ANSWER_BYTES,
      });
      const text = await response.text();
      const parsed = parsedJson(text);
      const value = response.status === 200 ? read(parsed) : undefined;
      // Whatever else answers here has a clock of its own.
      if (value !== undefined || envelopeIn(parsed) !== undefined) tellTime(response);
      return value === undefined
        ? { setback: refusalOf(response, parsed, text, clock.now()) }
        : { value };
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

  function tellTime({ headers }: LeanAnswer): void {
    const toldAt = httpDate(headers.get('date'));
    if (toldAt !== undefined) onTime(toldAt);
  }

  return {
    reportBytes: REPORT_BYTES,
    report: (report, urgency) =>
      exchange(
        `/v1/readings${urgency === 'backlog' ? '?backlog=true' : ''}`,
        outcomeIn,
        contentOf(report),
      ),
    async instructions() {
      const answer = await exchange(`/v1/commands?wait=${WAIT_SECONDS}`, instructionsIn);
      if ('setback' in answer) return answer;
      const arrivedAt = clock.now();
      return { value: answer.value.map((instruction) => ({ instruction, arrivedAt })) };
    },
    results: (results) => exchange('/v1/results', outcomeIn, json({ results })),
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

/** Why an answer is not the one that was hoped for; only the gateway's own envelope says anything about the message. */
function refusalOf(
  { status, headers }: LeanAnswer,
  parsed: unknown,
  text: string,
  now: number,
): Setback {
  const pauseMs = askedPauseMs(headers.get('retry-after'), now);
  const msg = envelopeIn(parsed);
  if (status >= 400 && msg !== undefined) return setbackOf({ status, msg, pauseMs });
  // The token goes to no other address.
  if (status >= 300 && status < 400)
    return strange(`it is elsewhere, at ${headers.get('location') ?? 'an unknown one'}`);
  return {
    ...strange(`status ${status}, ${text}`, pauseMs),
    ...(status === TOO_LARGE && { isTooLarge: true }),
  };
}
