import type { Clock } from '../../platform/kernel/clock.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { Instant } from '../../platform/storage/database.ts';
import type { Egress } from '../../platform/egress/egress.ts';

/** An event on its way to a destination. */
export interface OutgoingEvent {
  readonly id: string;
  /** Counts the events of one device and kind, without gaps. */
  readonly sequence: number;
  readonly kind: string;
  readonly version: number;
  readonly occurredAt: Instant;
  readonly plantId: string;
  /** Serial number; null for events of a whole plant. */
  readonly deviceSn: string | null;
  /** The event as JSON, made once: each attempt at each destination sends the same bytes. */
  readonly body: string;
}

/** What became of an attempt. Reasons are for people, and hold no secret. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  /**
   * None or some of the events arrived; all of them have to be sent again. `excerpt`: the peer's own words, capped. `isRefusal`: the peer is there, and
   * did not want these very events. `connectionError`: code of the error that kept the connection from being made or ended it, such as ECONNREFUSED.
   */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly excerpt?: string;
      readonly retryAfterMs?: number;
      readonly isRefusal?: true;
      readonly connectionError?: string;
    }
  /** The peer wants nothing more, ever (HTTP 410). */
  | { readonly kind: 'gone'; readonly reason: string };

/** A connection to one destination, made when it is first needed and again after a fault. */
export interface Sink {
  /** Most events that one `send` may carry. */
  readonly atMost: number;
  /**
   * Sends events in their order, and resolves when the peer has all of them or the attempt has failed; never rejects. Ends within 15 s, or at
   * once when the signal says so. Several calls may run at a time if they are about different devices.
   */
  send(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<DeliveryOutcome>;
  close(): Promise<void>;
}

interface Destination {
  readonly id: string;
  /** With a scheme of its transport. Without user and password. */
  readonly url: string;
  /** PEM of the certificate authorities that are trusted instead of the public ones; null: the public ones. */
  readonly caCertificates: string | null;
}

export interface HttpDestination extends Destination {
  readonly transport: 'http';
  /** `whsec_...`, the newest first: two while they are rotated. */
  readonly secrets: readonly string[];
  /** Whether one request may carry several events. */
  readonly batches: boolean;
  /** Whether bodies are compressed. */
  readonly gzip: boolean;
}

export interface MqttDestination extends Destination {
  readonly transport: 'mqtt';
  readonly protocolVersion: '5' | '3.1.1';
  /** Template of the topic: sinks/topic-template.ts. */
  readonly topic: string;
  readonly username: string | null;
  readonly password: string | null;
}

export interface RocketMqDestination extends Destination {
  readonly transport: 'rocketmq';
  readonly topic: string;
  /** Access key of RocketMQ's ACL. */
  readonly username: string | null;
  readonly password: string | null;
}

/** The settings of one destination, decrypted. */
export type OpenDestination = HttpDestination | MqttDestination | RocketMqDestination;

export interface SinkDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time limit of an attempt, if not that of sinks/send-in-time.ts. */
  readonly limitMs?: number;
}

/** Prepares a sink; nothing is connected yet. Rejects only if the settings cannot be: they were checked when they were stored. */
export type OpenSink<D extends OpenDestination = OpenDestination> = (
  destination: D,
  deps: SinkDeps,
) => Promise<Sink>;
