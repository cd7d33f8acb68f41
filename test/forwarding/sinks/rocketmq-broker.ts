import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';

export const CREDENTIALS = { username: 'solar', password: 'kestrel42meadow' };
export const TOPICS = { normal: 'solar_normal', fifo: 'solar_fifo' };
export const GROUPS = { normal: 'readers', fifo: 'readers_in_order' };

/** A RocketMQ with access control: name server, and broker with its gRPC proxy; all on loopback. */
export interface RocketMqBroker {
  /** Of the gRPC proxy. */
  readonly port: number;
  /** Kills the broker, with all that it has not written. */
  kill(): Promise<void>;
  /** Starts it again, with its store. */
  restart(): Promise<void>;
  /** Lets it stand still, and go on: it neither answers nor closes anything meanwhile. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

const AUTH = 'org.apache.rocketmq.auth';
const PROXY_AUTH = 'org.apache.rocketmq.proxy.auth';
const secretKey = { accessKey: CREDENTIALS.username, secretKey: CREDENTIALS.password };

const lines = (settings: object): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

const OPENED = ['java.nio', 'java.util', 'java.lang', 'jdk.internal.ref'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
);
const JVM = [
  '-XX:+UseSerialGC',
  '-Xss512k',
  '-XX:-UsePerfData',
  '-XX:TieredStopAtLevel=1',
  '-Djava.net.preferIPv4Stack=true',
  '-Dtls.server.mode=disabled',
];

export async function startRocketMq(classPath: string): Promise<RocketMqBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-rocketmq-'));
  const [names, broker, ha, grpc, remoting] = (await Promise.all(
    Array.from({ length: 5 }, freePort),
  )) as [number, number, number, number, number];
  const file = (name: string, text: string): string => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const namesConf = file('namesrv.conf', lines({ listenPort: names, bindAddress: '127.0.0.1' }));
  const brokerConf = file('broker.conf', lines(brokerSettings(broker, ha)));
  const proxyConf = file('rmq-proxy.json', JSON.stringify(proxySettings(names, grpc, remoting)));
  // Topics and groups are seeded where the broker keeps them: its admin tool takes seconds for each.
  file('home/store/config/topics.json', JSON.stringify(topicConfig()));
  file('home/store/config/subscriptionGroup.json', JSON.stringify(groupConfig()));

  const java = (heap: string, ...main: readonly string[]): ChildProcess =>
    spawn(
      'java',
      [
        '-Xms16m',
        `-Xmx${heap}`,
        ...OPENED,
        '--add-exports=java.base/sun.nio.ch=ALL-UNNAMED',
        ...JVM,
        `-Duser.home=${join(folder, 'home')}`,
        '-cp',
        classPath,
        ...main,
      ],
      { env: { ...process.env, ROCKETMQ_HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
  const said = (child: ChildProcess, text: string): Promise<void> => {
    let output = '';
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes(text)) resolve();
      });
    }
    child.once('exit', () =>
      reject(new Error(`RocketMQ ended before it said "${text}":\n${output}`)),
    );
    return promise;
  };

  const nameServer = java('64m', 'org.apache.rocketmq.namesrv.NamesrvStartup', '-c', namesConf);
  await said(nameServer, 'boot success');

  const brokerLog = join(folder, 'home', 'logs', 'rocketmqlogs', 'broker.log');
  const registrations = (): number =>
    existsSync(brokerLog)
      ? readFileSync(brokerLog, 'utf8').split('to name server completed').length
      : 1;
  async function startBroker(): Promise<ChildProcess> {
    const before = registrations();
    const child = java(
      '128m',
      '-XX:MaxDirectMemorySize=128m',
      'org.apache.rocketmq.proxy.ProxyStartup',
      '-n',
      `127.0.0.1:${names}`,
      '-pm',
      'local',
      '-bc',
      brokerConf,
      '-pc',
      proxyConf,
    );
    await said(child, 'startup successfully');
    // Until then every topic is unknown, and the proxy remembers that for a minute.
    await vi.waitUntil(() => registrations() > before, { timeout: 60_000 });
    return child;
  }
  // SIGTERM takes eleven seconds.
  const end = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await ended;
  };
  let proxy = await startBroker();
  return {
    port: grpc,
    kill: () => end(proxy),
    async restart() {
      proxy = await startBroker();
    },
    freeze: () => void proxy.kill('SIGSTOP'),
    thaw: () => void proxy.kill('SIGCONT'),
    async close() {
      await Promise.all([end(proxy), end(nameServer)]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const brokerSettings = (listenPort: number, haListenPort: number): object => ({
  brokerClusterName: 'DefaultCluster',
  brokerName: 'broker-a',
  brokerId: 0,
  brokerRole: 'ASYNC_MASTER',
  flushDiskType: 'ASYNC_FLUSH',
  brokerIP1: '127.0.0.1',
  bindAddress: '127.0.0.1',
  listenPort,
  haListenPort,
  autoCreateTopicEnable: false,
  mappedFileSizeCommitLog: 16_777_216,
  mappedFileSizeConsumeQueue: 60_000,
  maxIndexNum: 20_000,
  maxHashSlotNum: 5_000,
  diskMaxUsedSpaceRatio: 95,
  authenticationEnabled: true,
  authenticationProvider: `${AUTH}.authentication.provider.DefaultAuthenticationProvider`,
  authenticationMetadataProvider: `${AUTH}.authentication.provider.LocalAuthenticationMetadataProvider`,
  initAuthenticationUser: JSON.stringify(CREDENTIALS),
  innerClientAuthenticationCredentials: JSON.stringify(secretKey),
  authorizationEnabled: true,
  authorizationProvider: `${AUTH}.authorization.provider.DefaultAuthorizationProvider`,
  authorizationMetadataProvider: `${AUTH}.authorization.provider.LocalAuthorizationMetadataProvider`,
});

const proxySettings = (
  names: number,
  grpcServerPort: number,
  remotingListenPort: number,
): object => ({
  rocketMQClusterName: 'DefaultCluster',
  proxyMode: 'local',
  namesrvAddr: `127.0.0.1:${names}`,
  localServeAddr: '127.0.0.1',
  grpcServerPort,
  remotingListenPort,
  // Its default of 5 s would be the least that a reader waits.
  grpcClientConsumerMinLongPollingTimeoutMillis: 100,
  authenticationEnabled: true,
  authenticationProvider: `${AUTH}.authentication.provider.DefaultAuthenticationProvider`,
  authenticationMetadataProvider: `${PROXY_AUTH}.ProxyAuthenticationMetadataProvider`,
  innerClientAuthenticationCredentials: JSON.stringify(secretKey),
  authorizationEnabled: true,
  authorizationProvider: `${AUTH}.authorization.provider.DefaultAuthorizationProvider`,
  authorizationMetadataProvider: `${PROXY_AUTH}.ProxyAuthorizationMetadataProvider`,
});

const dataVersion = { counter: 1, stateVersion: 0, timestamp: 1 };

const topicConfig = (): object => ({
  dataVersion,
  topicConfigTable: Object.fromEntries(
    Object.entries(TOPICS).map(([type, topicName]) => [
      topicName,
      {
        topicName,
        attributes: { 'message.type': type.toUpperCase() },
        order: false,
        perm: 6,
        readQueueNums: 4,
        writeQueueNums: 4,
        topicFilterType: 'SINGLE_TAG',
        topicSysFlag: 0,
      },
    ]),
  ),
});

const groupConfig = (): object => ({
  dataVersion,
  forbiddenTable: {},
  subscriptionGroupTable: Object.fromEntries(
    Object.entries(GROUPS).map(([type, groupName]) => [
      groupName,
      {
        groupName,
        attributes: {},
        brokerId: 0,
        consumeBroadcastEnable: true,
        consumeEnable: true,
        consumeFromMinEnable: true,
        consumeMessageOrderly: type === 'fifo',
        consumeTimeoutMinute: 15,
        groupRetryPolicy: { type: 'CUSTOMIZED' },
        groupSysFlag: 0,
        notifyConsumerIdsChangedEnable: true,
        retryMaxTimes: 16,
        retryQueueNums: 1,
        whichBrokerWhenConsumeSlowly: 1,
      },
    ]),
  ),
});
