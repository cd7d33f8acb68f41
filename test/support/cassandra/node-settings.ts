import { join } from 'node:path';

/** What the nodes of a cluster for tests are started with. */
export interface NodeSettings {
  readonly folder: string;
  readonly ip: string;
  readonly token: string;
  readonly seeds: readonly string[];
  /** With periodic, which is Cassandra's default, a node acknowledges what a kill takes from it: copies on other nodes make up for that. */
  readonly commitlogSync: 'batch' | 'periodic';
  readonly cqlPort: number;
  readonly storagePort: number;
  /** Whether users log in; the first one is cassandra, with the password cassandra. */
  readonly passwords: boolean;
  /** A PKCS #12 file with the certificate of the nodes, and its password; without it, clients speak without TLS. */
  readonly keystore?: { readonly file: string; readonly password: string } | undefined;
}

/** A small node, for a machine that runs several and other things besides. */
export const nodeYaml = ({
  folder,
  ip,
  token,
  seeds,
  commitlogSync,
  cqlPort,
  storagePort,
  passwords,
  keystore,
}: NodeSettings): string =>
  JSON.stringify({
    cluster_name: 'solar',
    num_tokens: 1,
    initial_token: token,
    partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner',
    endpoint_snitch: 'SimpleSnitch',
    seed_provider: [
      {
        class_name: 'org.apache.cassandra.locator.SimpleSeedProvider',
        parameters: [{ seeds: seeds.join(',') }],
      },
    ],
    auto_bootstrap: false,
    listen_address: ip,
    storage_port: storagePort,
    rpc_address: ip,
    start_native_transport: true,
    native_transport_port: cqlPort,
    data_file_directories: [join(folder, 'data')],
    ...Object.fromEntries(
      (
        [
          ['commitlog_directory', 'commitlog'],
          ['hints_directory', 'hints'],
          ['saved_caches_directory', 'saved_caches'],
          ['cdc_raw_directory', 'cdc_raw'],
        ] as const
      ).map(([name, place]) => [name, join(folder, place)]),
    ),
    commitlog_sync: commitlogSync,
    ...(commitlogSync === 'periodic' && { commitlog_sync_period: '1000ms' }),
    commitlog_segment_size: '8MiB',
    commitlog_total_space: '64MiB',
    disk_failure_policy: 'die',
    commit_failure_policy: 'die',
    authenticator: passwords ? 'PasswordAuthenticator' : 'AllowAllAuthenticator',
    authorizer: 'AllowAllAuthorizer',
    role_manager: 'CassandraRoleManager',
    hinted_handoff_enabled: true,
    storage_compatibility_mode: 'NONE',
    sstable: { selected_format: 'bti' },
    memtable: {
      configurations: { trie: { class_name: 'TrieMemtable' }, default: { inherits: 'trie' } },
    },
    memtable_allocation_type: 'offheap_objects',
    memtable_heap_space: '48MiB',
    memtable_offheap_space: '64MiB',
    file_cache_size: '32MiB',
    networking_cache_size: '16MiB',
    key_cache_size: '0MiB',
    counter_cache_size: '0MiB',
    concurrent_reads: 8,
    concurrent_writes: 8,
    concurrent_compactors: 1,
    default_compaction: {
      class_name: 'UnifiedCompactionStrategy',
      parameters: { scaling_parameters: 'T4', base_shard_count: 1 },
    },
    ...(keystore && {
      client_encryption_options: {
        enabled: true,
        optional: false,
        keystore: keystore.file,
        keystore_password: keystore.password,
        store_type: 'PKCS12',
        require_client_auth: false,
      },
    }),
  });

const unnamed = (flag: string, packages: string): string[] =>
  packages.split(' ').flatMap((name) => [flag, `${name}=ALL-UNNAMED`]);

const EXPORTED =
  'java.base/jdk.internal.misc java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.sql/java.sql java.base/java.lang.ref jdk.unsupported/sun.misc jdk.compiler/com.sun.tools.javac.file jdk.attach/sun.tools.attach';
const OPENED =
  'java.base/java.lang.module java.base/jdk.internal.loader java.base/jdk.internal.ref java.base/jdk.internal.reflect java.base/jdk.internal.math java.base/jdk.internal.module java.base/jdk.internal.util.jar jdk.management/com.sun.management.internal java.base/sun.nio.ch java.base/java.io java.base/java.nio java.base/java.lang.reflect jdk.compiler/com.sun.tools.javac java.base/java.lang java.base/java.util';

/** The arguments of the Java that is a node. It is started directly, so that its process id is known. */
export const nodeArguments = (jars: string, folder: string, jmxPort: number): string[] => [
  '-Xms320m',
  '-Xmx320m',
  '-Xss256k',
  '-XX:MaxDirectMemorySize=128m',
  '-XX:+UseG1GC',
  '-XX:TieredStopAtLevel=1',
  '-XX:+PerfDisableSharedMem',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djdk.attach.allowAttachSelf=true',
  '-Djava.net.preferIPv4Stack=true',
  ...unnamed('--add-exports', EXPORTED),
  ...unnamed('--add-opens', OPENED),
  '-Dio.netty.tryReflectionSetAccessible=true',
  '-Dio.netty.allocator.maxOrder=11',
  `-javaagent:${join(jars, 'jamm-0.4.0.jar')}`,
  `-Dcassandra.config=file://${join(folder, 'cassandra.yaml')}`,
  `-Dcassandra.storagedir=${folder}`,
  `-Dcassandra.logdir=${folder}`,
  `-Dlogback.configurationFile=${join(folder, 'logback.xml')}`,
  `-Dcassandra.jmx.local.port=${jmxPort}`,
  '-Dcassandra-foreground=yes',
  '-Dcassandra.superuser_setup_delay_ms=0',
  // Below this, three nodes that start together do not find one another.
  '-Dcassandra.skip_wait_for_gossip_to_settle=0',
  '-Dcassandra.ring_delay_ms=5000',
  '-cp',
  join(jars, '*'),
  'org.apache.cassandra.service.CassandraDaemon',
];

/** The arguments of a Java that asks a node with nodetool. */
export const nodetoolArguments = (jars: string, folder: string, jmxPort: number): string[] => [
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  ...unnamed('--add-exports', EXPORTED),
  ...unnamed('--add-opens', OPENED),
  `-Duser.home=${folder}`,
  `-Dlogback.configurationFile=${join(folder, 'logback.xml')}`,
  '-cp',
  join(jars, '*'),
  'org.apache.cassandra.tools.NodeTool',
  '-p',
  String(jmxPort),
];

export const LOGBACK = `<configuration scan="false">
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%-5level [%thread] %d{ISO8601} %F:%L - %msg%n</pattern></encoder></appender>
  <root level="INFO"><appender-ref ref="STDOUT"/></root>
</configuration>`;
