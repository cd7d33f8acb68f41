/** Reason codes of MQTT 5 (2.4). */
export const reasons = {
  success: 0x00,
  /** A client disconnects, and wants its last will to be sent. */
  disconnectWithWill: 0x04,
  noSubscription: 0x11,
  malformed: 0x81,
  protocolError: 0x82,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  unavailable: 0x88,
  busy: 0x89,
  shuttingDown: 0x8b,
  keepAliveTimeout: 0x8d,
  takenOver: 0x8e,
  tooLarge: 0x95,
  qosNotSupported: 0x9b,
  /** A client connects too often. */
  connectionRate: 0x9f,
} as const;

export type Reason = keyof typeof reasons;

/** The return codes of MQTT 3.1.1 (3.2.2.3) for refused connections. */
export const returnCodes = {
  unavailable: 3,
  connectionRate: 3,
  badCredentials: 4,
  notAuthorized: 5,
} as const;

/** The code of MQTT 3.1.1 for a refused subscription (3.9.3). */
export const SUBSCRIPTION_FAILED = 0x80;
