/** What callers are told by an instance that the database has left behind. */
export const OUTDATED =
  'this server is older than its database: it serves again once the new version is installed and started';

/** Whether the database has been left to a newer version (storage/newer-schema.ts). */
export interface Outdated {
  /** As of the last look. */
  readonly isNewer: boolean;
  /** Looks now. Callers that were refused may be unknown to this version alone. False if the database does not answer. */
  confirm(): Promise<boolean>;
}
