import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  TracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Clock } from '../clock.ts';
import type { TracedStatement } from './traced-work.ts';

export interface TracedRequest {
  readonly name: string;
  /** Headers of the request, of which `traceparent` and `tracestate` are read (W3C Trace Context). */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** How long it took until now, when its answer has been sent. */
  readonly seconds: number;
  readonly attributes: Attributes;
  readonly isFault: boolean;
  /** Whether the peer may decide that a request is traced; from anybody else, only the trace is taken that it continues. */
  readonly isTrusted: boolean;
  /** What it has asked of the database. */
  readonly statements: readonly TracedStatement[];
}

/** An attempt to send events to a destination, which has just ended. */
export interface TracedDelivery {
  readonly destinationId: string;
  readonly transport: string;
  readonly events: number;
  readonly seconds: number;
  /** Why it failed, in words without secrets. */
  readonly fault: string | undefined;
}

/** Sends spans to an OTLP collector. Import this file only where spans are sent: its packages take time to load. */
export interface Traces {
  /** Records a request that has just been answered. */
  request(request: TracedRequest): void;
  /** Records a delivery, as a trace of its own. */
  delivery(delivery: TracedDelivery): void;
  /** Resolves when what was recorded has been sent, or could not be. */
  stop(): Promise<void>;
}

/** Of the text of a statement. */
const TEXT_AT_MOST = 1_000;

const GETTER = {
  keys: (headers: TracedRequest['headers']) => Object.keys(headers),
  get: (headers: TracedRequest['headers'], name: string) => headers[name],
};

/**
 * @param url where OTLP over HTTP is taken, such as `http://127.0.0.1:4318/v1/traces`
 * @param percent share of the requests that are traced unless a trusted caller has decided it
 * @param random a number from 0 to 1
 */
export function openTraces({
  url,
  percent,
  version,
  clock,
  random = Math.random,
}: {
  readonly url: string;
  readonly percent: number;
  readonly version: string;
  readonly clock: Clock;
  readonly random?: () => number;
}): Traces {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'helioport', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(percent / 100) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  // Neither its flag nor the trace id, from which the ratio is decided otherwise, may be a stranger's choice.
  function decided(told: Context): Context {
    const context = trace.getSpanContext(told);
    if (!context) return told;
    const traceFlags = random() * 100 < percent ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return trace.setSpanContext(told, { ...context, traceFlags });
  }
  const tracer = provider.getTracer('helioport', version);
  const propagator = new W3CTraceContextPropagator();
  function recordStatement({ text, ms, endedAt }: TracedStatement, within: Context): void {
    const [name = 'statement'] = /^\w+/.exec(text) ?? [];
    const attributes = { 'db.query.text': text.slice(0, TEXT_AT_MOST) };
    tracer
      .startSpan(name, { kind: SpanKind.CLIENT, startTime: endedAt - ms, attributes }, within)
      .end(endedAt);
  }
  return {
    request({ name, headers, seconds, attributes, isFault, isTrusted, statements }) {
      const told = propagator.extract(ROOT_CONTEXT, headers, GETTER);
      const parent = isTrusted ? told : decided(told);
      const endedAt = clock.now();
      const startTime = endedAt - seconds * 1000;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime, attributes }, parent);
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
      if (span.isRecording()) {
        const within = trace.setSpan(ROOT_CONTEXT, span);
        for (const statement of statements) recordStatement(statement, within);
      }
      span.end(endedAt);
    },
    delivery({ destinationId, transport, events, seconds, fault }) {
      const endedAt = clock.now();
      const span = tracer.startSpan(
        `deliver ${transport}`,
        {
          kind: SpanKind.PRODUCER,
          startTime: endedAt - seconds * 1000,
          attributes: {
            'messaging.operation.type': 'send',
            'messaging.batch.message_count': events,
            'helioport.destination': destinationId,
          },
        },
        ROOT_CONTEXT,
      );
      if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
      span.end(endedAt);
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}
