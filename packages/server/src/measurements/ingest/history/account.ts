/** An account at a service that speaks the signed interface. What it answers is anybody's data: it is believed field by field. */
export interface HistoryAccount {
  /**
   * Resolves to the data of an answer, however long the account has to be waited for. Rejects with AccountRefusal if it refuses this request,
   * and with something else if there is no point in asking on.
   */
  ask(operation: AskedOperation, request: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The operations from which history is read. */
export type AskedOperation =
  | 'inverterList'
  | 'inverterDetail'
  | 'inverterAll'
  | 'inverterYear'
  | 'inverterMonth'
  | 'inverterDay'
  | 'epmList'
  | 'epmDetail'
  | 'epm/all'
  | 'epm/year'
  | 'epm/month'
  | 'epm/day';

/** The account refuses a request, and would again. */
export class AccountRefusal extends Error {
  override readonly name = 'AccountRefusal';
}

/** What in answers could not be believed, with how often. */
export class HistoryDoubts {
  readonly #counts = new Map<string, number>();

  add(text: string): void {
    // A foreign text is part of some sentences, so their number is limited.
    if (this.#counts.size >= 200 && !this.#counts.has(text)) return;
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  list(): { readonly text: string; readonly count: number }[] {
    return [...this.#counts].map(([text, count]) => ({ text, count }));
  }
}
