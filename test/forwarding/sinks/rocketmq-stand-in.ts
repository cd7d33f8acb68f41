import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { promisify } from 'node:util';
import definition from 'rocketmq-client-nodejs/proto/apache/rocketmq/v2/definition_pb.js';
import grpc from 'rocketmq-client-nodejs/proto/apache/rocketmq/v2/service_grpc_pb.js';
import service from 'rocketmq-client-nodejs/proto/apache/rocketmq/v2/service_pb.js';
import type { Certificate } from './certificates.ts';
import type { Received } from './suite.ts';

export interface StandInMessage extends Received {
  readonly tag: string;
  readonly group: string;
  readonly properties: Record<string, string>;
}

interface Route {
  readonly host: string;
  readonly port: number;
}

type Telemetry = ServerDuplexStream<service.TelemetryCommand, service.TelemetryCommand>;

/** As much of RocketMQ's gRPC proxy as a producer meets, right or wrong as a test says. Faster than a real one by seconds. */
export interface RocketMqStandIn {
  readonly port: number;
  readonly messages: StandInMessage[];
  /** Headers of the clients that queried routes. */
  readonly authorizations: (string | undefined)[];
  readonly clientIds: (string | undefined)[];
  /** Where route answers lead. */
  route: Route;
  /** Where they lead for other topics. */
  readonly routes: Map<string, Route>;
  isFifo: boolean;
  /** Changes the settings that a client gets. */
  spoilSettings: ((settings: definition.Settings) => void) | undefined;
  /** Answers instead of taking a message, or never does. */
  answerMessage: ((response: service.SendMessageResponse) => void) | 'never' | undefined;
  /** Open telemetry streams. */
  readonly streams: Set<Telemetry>;
  /** Ends without a word. */
  close(): void;
}

const { Code } = definition;
const ok = (): definition.Status => new definition.Status().setCode(Code.OK);

export async function startStandIn({ cert, key }: Certificate): Promise<RocketMqStandIn> {
  const server = new Server();

  const queue = (topic: definition.Resource | undefined): definition.MessageQueue => {
    const { host, port } = standIn.routes.get(topic?.getName() ?? '') ?? standIn.route;
    const endpoints = new definition.Endpoints().setScheme(definition.AddressScheme.DOMAIN_NAME);
    endpoints.addAddresses().setHost(host).setPort(port);
    return new definition.MessageQueue()
      .setTopic(topic)
      .setId(0)
      .setPermission(definition.Permission.READ_WRITE)
      .setBroker(new definition.Broker().setName('broker-a').setId(0).setEndpoints(endpoints))
      .setAcceptMessageTypesList([
        standIn.isFifo ? definition.MessageType.FIFO : definition.MessageType.NORMAL,
      ]);
  };

  const takeMessage = (message: definition.Message): void => {
    const about = message.getSystemProperties()!;
    standIn.messages.push({
      id: about.getKeysList()[0]!,
      body: Buffer.from(message.getBody_asU8()).toString('utf8'),
      tag: about.getTag() ?? '',
      group: about.getMessageGroup() ?? '',
      properties: Object.fromEntries(message.getUserPropertiesMap().entries()),
    });
  };

  server.addService(grpc.MessagingServiceService, {
    queryRoute(
      { request, metadata }: ServerUnaryCall<service.QueryRouteRequest, service.QueryRouteResponse>,
      done: sendUnaryData<service.QueryRouteResponse>,
    ) {
      standIn.authorizations.push(metadata.get('authorization')[0]?.toString());
      standIn.clientIds.push(metadata.get('x-mq-client-id')[0]?.toString());
      done(
        null,
        new service.QueryRouteResponse()
          .setStatus(ok())
          .setMessageQueuesList([queue(request.getTopic())]),
      );
    },
    telemetry(stream: Telemetry) {
      standIn.streams.add(stream);
      stream.on('close', () => standIn.streams.delete(stream));
      stream.on('error', () => {});
      stream.on('end', () => stream.end());
      stream.on('data', (command: service.TelemetryCommand) => {
        const settings = command.getSettings();
        if (!settings) return;
        const backoff = new definition.ExponentialBackoff().setMultiplier(2);
        settings.setBackoffPolicy(
          new definition.RetryPolicy().setMaxAttempts(3).setExponentialBackoff(backoff),
        );
        settings.setPublishing(
          new definition.Publishing().setMaxBodySize(4 * 1024 * 1024).setValidateMessageType(true),
        );
        standIn.spoilSettings?.(settings);
        stream.write(new service.TelemetryCommand().setStatus(ok()).setSettings(settings));
      });
    },
    heartbeat: (_: unknown, done: sendUnaryData<service.HeartbeatResponse>) =>
      done(null, new service.HeartbeatResponse().setStatus(ok())),
    sendMessage(
      { request }: ServerUnaryCall<service.SendMessageRequest, service.SendMessageResponse>,
      done: sendUnaryData<service.SendMessageResponse>,
    ) {
      const response = new service.SendMessageResponse();
      if (standIn.answerMessage === 'never') return;
      if (standIn.answerMessage) {
        standIn.answerMessage(response);
      } else {
        for (const message of request.getMessagesList()) takeMessage(message);
        response
          .setStatus(ok())
          .addEntries(
            new service.SendResultEntry().setStatus(ok()).setMessageId('01').setOffset(1),
          );
      }
      done(null, response);
    },
    notifyClientTermination: (
      _: unknown,
      done: sendUnaryData<service.NotifyClientTerminationResponse>,
    ) => done(null, new service.NotifyClientTerminationResponse().setStatus(ok())),
  });

  const credentials = ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) },
  ]);
  const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', credentials);
  const standIn: RocketMqStandIn = {
    port,
    messages: [],
    authorizations: [],
    clientIds: [],
    route: { host: 'localhost', port },
    routes: new Map(),
    isFifo: true,
    spoilSettings: undefined,
    answerMessage: undefined,
    streams: new Set(),
    close: () => server.forceShutdown(),
  };
  return standIn;
}
