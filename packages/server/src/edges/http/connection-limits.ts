/** Limits of a connection in Node's own words; times in milliseconds. */
export const CONNECTION_LIMITS = {
  // Longer than the 60 s after which usual load balancers let an idle connection go, so that we never close first.
  keepAliveTimeout: 65_000,
  // From the first byte of a request to its last; answers may take longer.
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  // How often Node looks who has passed the two above: with its own 30 s, a request could take twice its limit and more.
  connectionsCheckingInterval: 1_000,
  /** In bytes. */
  maxHeaderSize: 16 * 1024,
};
