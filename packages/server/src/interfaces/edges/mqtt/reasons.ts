/** Reason codes of MQTT 5 (2.4). */
export const reasons = {
  success: 0x00,
  /** A client disconnects, and wants its last will to be sent. */
  disconnectWithWill: 0x04,
  noSubscription: 0x11,
  malformed: 0x81,
  protocolError: 0x82,
  unsupportedVersion: 0x84,
  clientIdInvalid: 0x85,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  unavailable: 0x88,
  busy: 0x89,
  shuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  topicNameInvalid: 0x90,
  topicAliasInvalid: 0x94,
  tooLarge: 0x95,
  retainNotSupported: 0x9a,
  qosNotSupported: 0x9b,
  sharedNotSupported: 0x9e,
  /** A client connects too often. */
  connectionRate: 0x9f,
} as const;

export type Reason = keyof typeof reasons;

/** The return codes of MQTT 3.1.1 (3.2.2.3) for refused connections. Whatever else is wrong with a CONNECT only ends the connection. */
export const returnCodes: { readonly [Name in Reason]?: number } = {
  unsupportedVersion: 1,
  clientIdInvalid: 2,
  unavailable: 3,
  connectionRate: 3,
  badCredentials: 4,
  notAuthorized: 5,
};

/** The code of MQTT 3.1.1 for a refused subscription (3.9.3). */
export const SUBSCRIPTION_FAILED = 0x80;
