import { collectorTopic, type CollectorMessage, type ServerMessage } from '../collector-topics.ts';
import { exampleCollector, exampleInverter } from '../examples.ts';
import { collectorSchemas } from './schemas.ts';

/** What the document is generated from. */
export interface CollectorApiOptions {
  /** Address of the broker, for example `solar.example:1883`. */
  readonly host: string;
  readonly version: string;
}

/** An AsyncAPI 3.0 document; its parts are plain JSON. */
export type AsyncApiDocument = Record<string, unknown>;

/** The collector protocol over MQTT, as the collector sees it. */
export const collectorAsyncApi = ({ host, version }: CollectorApiOptions): AsyncApiDocument => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Helioport, collector protocol',
    version,
    description:
      'How collectors report measurements and carry out commands over MQTT 3.1.1 or 5. docs/collector-protocol.md contains the rules. ' +
      'Any version may add fields: ignore unknown ones.',
  },
  defaultContentType: 'application/json',
  servers: {
    broker: {
      host,
      protocol: 'mqtt',
      description:
        'The embedded broker, or an external one. The client id is the collector’s id. With TLS, the protocol is mqtts.',
      security: [{ $ref: '#/components/securitySchemes/token' }],
      bindings: {
        mqtt: {
          cleanSession: true,
          keepAlive: 60,
          lastWill: {
            topic: collectorTopic('{collectorId}', 'report'),
            qos: 1,
            message: '{"offline":true}',
            retain: false,
          },
        },
      },
    },
  },
  channels: Object.fromEntries(
    Object.entries(channels).map(([name, channel]) => [name, channelOf(name as Message, channel)]),
  ),
  operations: {
    report: send('report', 'Reports current measurements.'),
    catchUp: send(
      'backlog',
      'Delivers reports that were kept while the server could not be reached, one at a time.',
    ),
    answer: send('result', 'Reports the results of instructions.'),
    learn: receive('ack', 'Receives the outcome of a report or of results.'),
    obey: receive('command', 'Receives instructions.'),
  },
  components: {
    messages: Object.fromEntries(
      Object.entries(messages).map(([name, { summary, example }]) => [
        name,
        {
          name,
          summary,
          payload: { $ref: `#/components/schemas/${name}` },
          examples: [{ payload: example }],
        },
      ]),
    ),
    schemas: collectorSchemas,
    securitySchemes: {
      token: {
        type: 'userPassword',
        description: 'User name: the token’s public id. Password: the token.',
      },
    },
  },
});

type Message = CollectorMessage | ServerMessage;

const channels: Readonly<Record<Message, readonly (keyof typeof messages)[]>> = {
  report: ['Report', 'Farewell'],
  backlog: ['Report'],
  result: ['Results'],
  ack: ['Acknowledgement'],
  command: ['Commands'],
};

const AT = 1_793_963_100_000;
const instructionId = '1793963100000000001.2';

const messages = {
  Report: {
    summary: 'Measurements, alarms and descriptions of devices.',
    example: {
      id: 'r-17',
      sentAt: AT + 90,
      readings: [
        { sn: exampleInverter.sn, at: AT, values: { acPowerW: 1234.5, energyTotalKwh: 812.25 } },
      ],
      devices: [
        {
          sn: exampleInverter.sn,
          model: 'HS-8K',
          firmware: '3D0037',
          ratedPowerW: 8000,
          strings: 2,
        },
      ],
    },
  },
  Farewell: { summary: 'The last will.', example: { offline: true } },
  Results: {
    summary: 'Results of instructions.',
    example: { id: 'x-4', results: [{ id: instructionId, ok: true }] },
  },
  Acknowledgement: {
    summary: 'The answer to a report or to results.',
    example: {
      id: 'r-17',
      status: 200,
      receivedAt: AT + 123,
      accepted: 1,
      duplicate: 0,
      refused: [],
      devices: { accepted: 1, duplicate: 0, refused: [] },
    },
  },
  Commands: {
    summary: 'Instructions to carry out.',
    example: {
      commands: [
        {
          id: instructionId,
          sn: exampleInverter.sn,
          action: 'write',
          parameter: '157',
          value: '20',
          oldValue: '30',
          withinSeconds: 30,
        },
      ],
    },
  },
};

const channelOf = (name: Message, contents: readonly string[]): object => ({
  address: collectorTopic('{collectorId}', name),
  parameters: {
    collectorId: { description: 'id of the collector', examples: [exampleCollector.id] },
  },
  messages: Object.fromEntries(
    contents.map((content) => [content, { $ref: `#/components/messages/${content}` }]),
  ),
});

const send = (message: CollectorMessage, summary: string): object => ({
  action: 'send',
  channel: { $ref: `#/channels/${message}` },
  summary,
  bindings: { mqtt: { qos: 1, retain: false } },
  reply: { channel: { $ref: '#/channels/ack' } },
});

const receive = (message: ServerMessage, summary: string): object => ({
  action: 'receive',
  channel: { $ref: `#/channels/${message}` },
  summary,
  bindings: { mqtt: { qos: 0 } },
});
