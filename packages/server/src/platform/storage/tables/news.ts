import type { Generated } from 'kysely';
import type { Bytes, Flag, Instant, Json } from '../columns.ts';

export interface NewsSettingTable {
  accountId: string;
  alarmsByMail: Flag;
  weeklyByMail: Flag;
  /** 1 tip, 2 general, 3 emergency. */
  minLevel: number;
  /** JSON array of plant ids; null = every plant that the account may see. */
  plantIds: Json | null;
  /** Minutes of the day on the account's wall clock; null = no quiet hours. */
  quietFrom: number | null;
  quietTo: number | null;
  /** Whether emergencies are sent in quiet hours too. */
  urgentPasses: Flag;
  /** Whether webhooks have quiet hours too. */
  webhooksQuiet: Flag;
  /** When the next weekly summary is due; null = none is wanted. */
  weeklyAt: Instant | null;
  /** When the next e-mail about settings that others changed is due; null = none is wanted. */
  changesAt: Instant | null;
  /** Writes that ended up to then are not sent any more. */
  changesAfter: Instant | null;
  /** When people were last notified of alarms. */
  notifiedAt: Instant | null;
}

export interface PushSubscriptionTable {
  id: string;
  accountId: string;
  endpointHash: Bytes;
  /** Endpoint and keys as JSON, encrypted. */
  sealed: Bytes;
  label: string;
  createdAt: Instant;
  sentAt: Instant | null;
}

export interface NewsWebhookTable {
  id: string;
  accountId: string;
  url: string;
  /** Signing secrets as JSON, encrypted. */
  secrets: Bytes;
  createdAt: Instant;
  deliveredAt: Instant | null;
  failedAt: Instant | null;
  failure: string | null;
  /** Code of the error of the connection, if it was this that failed. */
  connectionError: string | null;
  goneAt: Instant | null;
  /** How often it was probed in vain since its circuit opened; 0 = the circuit is closed. */
  probes: Generated<number>;
  /** Nothing is sent before. */
  nextAt: Generated<Instant>;
  /** Since when every attempt has failed; null = the last one was a success. */
  failingSince: Generated<Instant | null>;
  /** The last outcomes: `+` delivered, `-` failed, the newest last. */
  outcomes: Generated<string>;
}

export interface NewsItemTable {
  accountId: string;
  /** `people` for e-mail and web push, `webhook` for programs, which have quiet hours only if that was chosen. */
  via: 'people' | 'webhook';
  alarmId: string;
  level: number;
  /** Since when it has been waiting, or when it was announced. */
  since: Instant;
  waits: Flag;
  /** 1 = the account was notified of the beginning. */
  announced: Flag;
}

export interface NewsMessageTable {
  id: string;
  accountId: string;
  channel: 'push' | 'webhook';
  /** Id of the subscription or the webhook. */
  target: string;
  content: Json;
  createdAt: Instant;
  dueAt: Instant;
  attempts: number;
}
