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
import type { Clock } from './clock.ts';

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
}

/** Sends spans to an OTLP collector. Import this file only where spans are sent: its packages take time to load. */
export interface Traces {
  /** Records a request that has just been answered. */
  request(request: TracedRequest): void;
  /** Resolves when what was recorded has been sent, or could not be. */
  stop(): Promise<void>;
}

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
  return {
    request({ name, headers, seconds, attributes, isFault, isTrusted }) {
      const told = propagator.extract(ROOT_CONTEXT, headers, GETTER);
      const parent = isTrusted ? told : decided(told);
      const endedAt = clock.now();
      const startTime = endedAt - seconds * 1000;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime, attributes }, parent);
      if (isFault) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}
