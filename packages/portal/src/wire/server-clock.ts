/** The server's time. The clock of the browser may be wrong, so it is only used to count from the server's latest answer. */
let aheadMs = 0;

/** Takes the server's time from an answer, in ms since 1970 UTC. */
export function learnTime(serverMs: number): void {
  aheadMs = serverMs - Date.now();
}

/** ms since 1970 UTC, by the server's clock. */
export const serverNow = (): number => Date.now() + aheadMs;

/** An instant of the browser's clock, by the server's. */
export const serverTimeOf = (browserMs: number): number => browserMs + aheadMs;

/** An instant of the server's clock, by the browser's. */
export const browserTimeOf = (serverMs: number): number => serverMs - aheadMs;
