import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { openMqttSink } from '../../../packages/server/src/outbound/sinks/mqtt.ts';
import type { MqttDestination, Sink } from '../../../packages/server/src/outbound/sinks/sink.ts';
import { hasOpenssl, makeCertificate, type Certificate } from './certificates.ts';
import { makeEvent, makeEvents } from './events.ts';
import { openGate, type Gate } from './gate.ts';
import { CREDENTIALS, hasMosquitto, startMosquitto, type Mosquitto } from './mosquitto.ts';
import { openScriptedBroker, type ScriptedBroker } from './scripted-broker.ts';
import {
  createClock,
  delivered,
  describeSink,
  LOOPBACK,
  sendUntilDelivered,
  silent,
  unstopped,
} from './suite.ts';

const sinks: Sink[] = [];
const clock = createClock();
const open = async (destination: MqttDestination): Promise<Sink> => {
  const sink = await openMqttSink(destination, {
    egress: createEgress({ allow: LOOPBACK }),
    clock,
    logger: silent,
  });
  sinks.push(sink);
  return sink;
};
afterEach(async () => {
  await Promise.all(sinks.splice(0).map((sink) => sink.close()));
});

describe.skipIf(!hasMosquitto || !hasOpenssl)(
  'the MQTT sink at Mosquitto with TLS and credentials',
  () => {
    let certificate: Certificate;
    let mosquitto: Mosquitto;
    let gate: Gate;
    const destinationOf = (
      protocolVersion: MqttDestination['protocolVersion'],
    ): MqttDestination => ({
      transport: 'mqtt',
      id: '1',
      url: `mqtts://localhost:${gate.port}`,
      protocolVersion,
      topic: 'solar/{plantId}/{deviceSn}/{kind}',
      ...CREDENTIALS,
      caCertificates: certificate.cert,
    });

    beforeAll(async () => {
      certificate = makeCertificate();
      mosquitto = await startMosquitto(certificate);
      gate = await openGate(mosquitto.port);
    });
    afterAll(async () => {
      await gate.close();
      await mosquitto.close();
      certificate.remove();
    });

    describe.each(['5', '3.1.1'] as const)('speaking %s', (version) => {
      describeSink({
        peer: () => ({
          gate,
          destination: destinationOf(version),
          received: () => mosquitto.messages,
        }),
        limitMs: 400,
      });

      test('puts plant, device and kind into the topic; a serial number is one level of it, whatever it holds', async () => {
        const event = makeEvent({ deviceSn: 'A/1+2#3%' });
        expect(await (await open(destinationOf(version))).send([event], unstopped)).toEqual(
          delivered,
        );
        const messages = (): unknown[] =>
          mosquitto.messages
            .filter(({ id }) => id === event.id)
            .map(({ topic, packet: { qos } }) => ({ topic, qos }));
        await vi.waitFor(
          () =>
            expect(messages()).toEqual([
              { topic: `solar/${event.plantId}/A%2F1%2B2%233%25/telemetry.sample`, qos: 1 },
            ]),
          60_000,
        );
      });

      test.each([
        { username: 'solar', password: 'wrong' },
        { username: 'nobody', password: CREDENTIALS.password },
        { username: null, password: null },
      ])(
        'is refused with the credentials $username and $password, and says why',
        async (credentials) => {
          const sink = await open({ ...destinationOf(version), ...credentials });
          expect(await sink.send([makeEvent()], unstopped)).toEqual({
            kind: 'failed',
            reason: 'Connection refused: Not authorized',
          });
        },
      );
    });

    test('names id, sequence and all else in user properties of MQTT 5', async () => {
      const event = makeEvent({ sequence: 41, kind: 'alarm.raised' });
      expect(await (await open(destinationOf('5'))).send([event], unstopped)).toEqual(delivered);
      const packets = (): unknown[] =>
        mosquitto.messages
          .filter(({ id }) => id === event.id)
          .map(({ packet }) => packet.properties);
      const { id, plantId } = event;
      const userProperties = {
        id,
        sequence: '41',
        kind: 'alarm.raised',
        version: '1',
        occurredAt: '1780000000000',
        plantId,
        deviceSn: 'SN-1',
      };
      await vi.waitFor(
        () =>
          expect(packets()).toMatchObject([
            { contentType: 'application/json', payloadFormatIndicator: true, userProperties },
          ]),
        60_000,
      );
    });

    test('learns from the broker that it may not publish there', async () => {
      const sink = await open({ ...destinationOf('5'), topic: 'elsewhere/{kind}' });
      expect(await sink.send([makeEvent()], unstopped)).toEqual({
        kind: 'failed',
        reason: 'Publish error: Not authorized',
        isRefusal: true,
      });
    });

    test('fails with an event that is too large for the broker, and delivers the next', async () => {
      const sink = await open(destinationOf('5'));
      const huge = makeEvent({ body: JSON.stringify({ id: 'huge', text: 'x'.repeat(70_000) }) });
      expect(await sink.send([huge], unstopped)).toMatchObject({
        kind: 'failed',
        reason: expect.stringMatching(/the broker (ended|closed) the connection|ECONNRESET|EPIPE/),
      });
      await sendUntilDelivered(sink, [makeEvent()]);
    });
  },
);

describe('the MQTT sink at a broker of its own mind', () => {
  let broker: ScriptedBroker;
  const destination = (): MqttDestination => ({
    transport: 'mqtt',
    id: '1',
    url: `mqtt://127.0.0.1:${broker.port}`,
    protocolVersion: '5',
    topic: '{deviceSn}',
    username: null,
    password: null,
    caCertificates: null,
  });
  beforeEach(async () => {
    broker = await openScriptedBroker(3);
  });
  afterEach(() => broker.close());
  const payloads = (): string[] => broker.publications.map(({ payload }) => payload);

  test('does not send what follows a refused event of the same device', async () => {
    const [first, second, third] = makeEvents(3);
    const [other, last] = makeEvents(2, ['SN-2']);
    broker.onPublication = (publication) =>
      publication.acknowledge(publication.payload === second!.body ? 0x97 : 0);
    const outcome = await (
      await open(destination())
    ).send([first!, second!, third!, other!, last!], unstopped);
    expect(outcome).toEqual({ kind: 'failed', reason: 'Publish error: Quota exceeded' });
    expect(payloads().toSorted()).toEqual(
      [first!, second!, other!, last!].map(({ body }) => body).toSorted(),
    );
  });

  test('learns what the broker does not want, unless something else has failed with it', async () => {
    const [first, second] = makeEvents(2, ['SN-1']);
    const [other] = makeEvents(1, ['SN-2']);
    const codes = new Map([
      [first!.body, 0x90],
      [other!.body, 0],
    ]);
    broker.onPublication = (publication) =>
      publication.acknowledge(codes.get(publication.payload) ?? 0);
    const sink = await open(destination());
    const refused = {
      kind: 'failed',
      reason: 'Publish error: Topic Name invalid',
      isRefusal: true,
    };
    expect(await sink.send([first!, second!, other!], unstopped)).toEqual(refused);
    codes.set(other!.body, 0x97);
    expect(await sink.send([first!, other!], unstopped)).toEqual({
      kind: 'failed',
      reason: 'Publish error: Quota exceeded',
    });
  });

  test('has no more messages without an acknowledgement than the broker takes', async () => {
    broker.onPublication = () => {};
    const sending = (await open(destination())).send(
      makeEvents(8, ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']),
      unstopped,
    );
    for (let acknowledged = 0; acknowledged < 8; acknowledged++) {
      await vi.waitFor(
        () => expect(broker.publications).toHaveLength(Math.min(acknowledged + 3, 8)),
        60_000,
      );
      broker.publications[acknowledged]!.acknowledge();
    }
    expect(await sending).toEqual(delivered);
  });

  test('publishes nothing more once it is asked to stop', async () => {
    const [first, second] = makeEvents(2);
    broker.onPublication = () => {};
    const sink = await open(destination());
    const stop = new AbortController();
    const sending = sink.send([first!, second!], stop.signal);
    await vi.waitFor(() => expect(broker.publications).toHaveLength(1), 60_000);
    stop.abort();
    expect(await sending).toEqual({ kind: 'failed', reason: 'stopped' });
    broker.publications[0]!.acknowledge();
    broker.onPublication = (publication) => publication.acknowledge();
    const other = makeEvent();
    expect(await sink.send([other], unstopped)).toEqual(delivered);
    expect(payloads()).toEqual([first!.body, other.body]);
  });

  test('leaves a broker that sends what nobody asked for', async () => {
    broker.onConnected = (socket) => {
      // The beginning of a message of 256 MB.
      socket.write(
        Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(70_000)]),
      );
    };
    broker.onPublication = () => {};
    expect(await (await open(destination())).send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: 'the broker sends what nobody asked for',
    });
  });

  test('stays with a broker of many words, as long as it acknowledges', async () => {
    broker.onPublication = (publication) => publication.acknowledge(0, 'so be it '.repeat(1_000));
    expect(await (await open(destination())).send(makeEvents(20), unstopped)).toEqual(delivered);
  });

  test('says with which reason the broker ended the connection', async () => {
    broker.onPublication = (_, socket) => void socket.end(Buffer.from([0xe0, 2, 0x98, 0]));
    expect(await (await open(destination())).send([makeEvent()], unstopped)).toEqual({
      kind: 'failed',
      reason: 'the broker ended the connection (reason 152)',
    });
  });

  test('shares one connection among sends at a time', async () => {
    let connections = 0;
    broker.onConnected = () => void connections++;
    const sink = await open(destination());
    const sent = await Promise.all(
      makeEvents(6, ['A', 'B', 'C']).map((event) => sink.send([event], unstopped)),
    );
    expect(sent).toEqual(sent.map(() => delivered));
    expect(connections).toBe(1);
  });
});
