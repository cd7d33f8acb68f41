/** Where and how a Cassandra cluster stores the series. */
export interface ClusterAddress {
  /** Nodes that are asked first; they name the others. */
  readonly hosts: readonly string[];
  /** The port of every node. */
  readonly port: number;
  readonly keyspace: string;
  /** The data center whose nodes are used. */
  readonly dataCenter: string;
  readonly user: { readonly name: string; readonly password: string } | undefined;
  /** How many copies answer before something counts as read or written. Less than a majority would lose acknowledged rows. */
  readonly consistency: (typeof CONSISTENCIES)[number];
  /** Copies of each row by data center, for the keyspace that `migrate` creates. */
  readonly replication: Readonly<Record<string, number>>;
  /** `chain`: the certificate must be trusted, but may name other hosts. */
  readonly tls: 'off' | 'on' | 'chain';
  /** File with the certificates to trust (PEM). */
  readonly caFile: string | undefined;
}

const CONSISTENCIES = ['local_quorum', 'quorum'] as const;
const TLS = ['off', 'on', 'chain'] as const;
const PARAMETERS = ['dc', 'replication', 'consistency', 'tls', 'ca'];
const SHAPE = 'cassandra://user:password@host1,host2:9042/keyspace?dc=NAME';
const PORT = 9042;

const ADDRESS =
  /^cassandra:\/\/(?:([^:@/?]*):([^@/?]*)@)?([^/?@]+?)(?::(\d{1,5}))?\/([^/?]*)(?:\?(.*))?$/;

/** Reads an address. A string is the fault: it completes the sentence "it must ...". */
export function readClusterAddress(text: string): ClusterAddress | string {
  const [whole, name, password, hostList = '', portText, keyspace = '', query = ''] =
    ADDRESS.exec(text) ?? [];
  const hosts = hostList.split(',');
  if (
    whole === undefined ||
    !hosts.every((host) => /^([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9a-fA-F:.]+\])$/.test(host))
  )
    return `look like ${SHAPE}`;
  const port = portText === undefined ? PORT : Number(portText);
  if (port < 1 || port > 65_535) return 'have a port from 1 to 65535 behind its last host';
  if (!/^[a-z][a-z0-9_]{0,47}$/.test(keyspace))
    return 'name a keyspace of at most 48 lower-case letters, digits and _, beginning with a letter';
  const given = new URLSearchParams(query);
  const unknown = [...given.keys()].find((key) => !PARAMETERS.includes(key));
  if (unknown !== undefined)
    return `have no parameters but ${PARAMETERS.join(', ')}, not ${unknown}`;
  const dataCenter = given.get('dc');
  if (!dataCenter || !/^[\w.-]+$/.test(dataCenter))
    return 'name the data center whose nodes are used, as ?dc=NAME';
  const consistency = CONSISTENCIES.find(
    (one) => one === (given.get('consistency') ?? 'local_quorum'),
  );
  if (!consistency)
    return `have a consistency of ${CONSISTENCIES.join(' or ')}: with fewer copies, acknowledged readings could be lost`;
  const caFile = given.get('ca') ?? undefined;
  const tls = TLS.find(
    (one) => one === (given.get('tls') ?? (caFile === undefined ? 'off' : 'on')),
  );
  if (!tls) return 'have tls=on, tls=chain or tls=off';
  if (tls === 'off' && caFile !== undefined) return 'have no ca with tls=off';
  const replication = readReplication(given.get('replication') ?? '3', dataCenter);
  if (!replication)
    return 'have a replication such as 3, or of several data centers such as dc1:3,dc2:3, that includes its own';
  const user =
    name === undefined || password === undefined
      ? undefined
      : { name: decoded(name), password: decoded(password) };
  if (user && (user.name === undefined || user.password === undefined))
    return 'have a user and a password in which special characters are written as %XX';
  return {
    hosts,
    port,
    keyspace,
    dataCenter,
    user: user as ClusterAddress['user'],
    consistency,
    replication,
    tls,
    caFile,
  };
}

function readReplication(text: string, dataCenter: string): Record<string, number> | undefined {
  if (/^[1-9]\d?$/.test(text)) return { [dataCenter]: Number(text) };
  const parts = text.split(',').map((part) => /^([\w.-]+):([1-9]\d?)$/.exec(part));
  if (!parts.every((part) => part !== null)) return undefined;
  const replication = Object.fromEntries(parts.map(([, dc, copies]) => [dc!, Number(copies)]));
  return dataCenter in replication ? replication : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
