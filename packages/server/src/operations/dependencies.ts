import type { InputOfOperation, OperationId, OutputOfOperation } from '@helioport/contract';
import type { Caller } from '../accounts/caller.ts';
import type { Once } from '../accounts/once.ts';
import type { FigureSources } from '../figures/sources.ts';
import type { IdSource } from '../kernel/ids.ts';
import type { SecretBox } from '../kernel/secrets.ts';

/** The dependencies of handlers. */
export interface OperationDependencies extends FigureSources {
  readonly ids: IdSource;
  readonly credentials: CredentialSources;
}

/** What credentials are made with. */
export interface CredentialSources {
  /** Encrypts KeySecrets; opened when it is needed first. */
  secretBox(): Promise<SecretBox>;
  /** Passwords are kept for the log-in of existing control clients, too. */
  readonly legacyLogin: boolean;
  /** Of an account that names none. */
  readonly defaultTimeZone: string;
}

/** Carries out one operation, through whichever door the caller came. `once` comes with writes. */
export type Handler<Id extends OperationId> = (caller: Caller, input: InputOfOperation<Id>, once?: Once) => Promise<OutputOfOperation<Id>>;

/** One handler for each of some operations. */
export type HandlersOf<Ids extends OperationId> = { readonly [Id in Ids]: Handler<Id> };
