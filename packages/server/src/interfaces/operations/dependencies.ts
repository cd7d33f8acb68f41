import type {
  InputOfOperation,
  LimitInForce,
  OperationId,
  OutputOfOperation,
} from '@helioport/contract';
import type { Caller } from '../../identity/accounts/caller.ts';
import type { PasskeySite } from '../../identity/accounts/factors/factor-sources.ts';
import type { Once } from '../../identity/accounts/once.ts';
import type { Patience } from '../../control/commands/await-outcome.ts';
import type { SinkDeps } from '../../outbound/sinks/sink.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import type { NotificationDeps } from '../../outbound/notifications/messages/deps.ts';
import type { ReadingRetention } from '@helioport/contract/reading-retention';
import type { IdSource } from '../../platform/kernel/ids.ts';
import type { SecretBox } from '../../platform/kernel/secrets.ts';

/** The dependencies of handlers. */
export interface OperationDependencies extends FigureSources {
  readonly ids: IdSource;
  readonly credentials: CredentialSources;
  /** The way out to destinations of events. */
  readonly outbound: Pick<SinkDeps, 'egress' | 'logger'>;
  /** Address at which collectors report over HTTP. */
  readonly gatewayUrl: string;
  /** For how many days the closing of an account can be taken back. */
  readonly closedRetention: number;
  /** How long readings of all plants are kept at most. */
  readonly readingsKept: ReadingRetention;
  /** What notifications are sent with. */
  readonly notifications: Pick<NotificationDeps, 'outbox' | 'portalUrl'>;
  /** Facts about the instance that answers, for its operators; the command line has none. */
  readonly instance?: InstanceFacts | undefined;
  /** How callers wait for the outcome of their commands; without this, they do not wait. */
  readonly patience?: Patience | undefined;
}

/** Facts about a running instance. */
export interface InstanceFacts {
  /** Free space on the disk of the embedded database. */
  readonly freeBytes?: (() => number) | undefined;
  /** The limits that it was started with. */
  readonly limits: readonly LimitInForce[];
}

/** What is needed to create credentials. */
export interface CredentialSources {
  /** Encrypts KeySecrets; opened when first needed. */
  secretBox(): Promise<SecretBox>;
  /** Where passkeys are valid; undefined where they are impossible. */
  readonly passkeys?: PasskeySite | undefined;
  /** Whether passwords are also kept in the form in which existing control clients send them. */
  readonly legacyLogin: boolean;
  /** The time zone of accounts that are created without one. */
  readonly defaultTimeZone: string;
}

/** Carries out one operation, whichever door the caller used. `once` is given for writes. */
export type OperationHandler<Id extends OperationId> = (
  caller: Caller,
  input: InputOfOperation<Id>,
  once?: Once,
) => Promise<OutputOfOperation<Id>>;

/** A handler for each of the given operations. */
export type HandlersOf<Ids extends OperationId> = { readonly [Id in Ids]: OperationHandler<Id> };
