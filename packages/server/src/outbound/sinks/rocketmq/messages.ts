import type { OutgoingEvent, DeliveryOutcome } from '../sink.ts';

/** What a worker is started with. */
export interface WorkerSettings {
  /** As the official client reads it: `host:port`. */
  readonly endpoint: string;
  readonly encrypted: boolean;
  readonly topic: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly caCertificates: string | null;
  /** Networks beyond the public internet that may be reached. */
  readonly allowed: readonly string[];
  /** Time limit of one request to the broker. */
  readonly requestMs: number;
}

export interface AttemptedSend {
  readonly outcome: DeliveryOutcome;
  /** Whether the client has ever been connected. If not, it cannot be used again. */
  readonly isStarted: boolean;
}

/** From the service to the worker. */
export type SinkOrder =
  | { readonly kind: 'send'; readonly number: number; readonly events: readonly OutgoingEvent[] }
  /** The answer to `resolve`; without addresses if the name may not be reached. */
  | { readonly kind: 'resolved'; readonly number: number; readonly addresses?: readonly string[] };

/** From the worker to the service. */
export type Word =
  | ({ readonly kind: 'sent'; readonly number: number } & AttemptedSend)
  /** Names are judged where the resolver is. */
  | { readonly kind: 'resolve'; readonly number: number; readonly host: string };
