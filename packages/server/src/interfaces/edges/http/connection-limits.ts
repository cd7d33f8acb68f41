/** Limits of a connection, named as in Node; times in milliseconds. */
export const CONNECTION_LIMITS = {
  // Longer than the usual 60 s after which load balancers close an idle connection, so that we never close first.
  keepAliveTimeout: 65_000,
  // From the first byte of a request to its last; answers may take longer.
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  // How often Node checks the two limits above: with its default of 30 s, a request could take more than twice its limit.
  connectionsCheckingInterval: 1_000,
  /** In bytes. */
  maxHeaderSize: 16 * 1024,
  // Clients that send requests without waiting for answers seldom send more than ten.
  unansweredAtMost: 16,
  // Without a byte of an answer being taken by the peer.
  unreadTimeout: 30_000,
  // Of an address or a /64; a wider network has a multiple. Many users may share one.
  connectionsOfNetwork: 2_000,
};
