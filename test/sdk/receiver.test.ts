import {
  createReceiver,
  createReplay,
  HelioportError,
  type Cursor,
  type Gap,
  type ReceivedEvent,
  type SequenceState,
} from '@helioport/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** A cursor that outlives its receivers. */
const memoryCursor = (): Cursor & { readonly states: Map<string, SequenceState> } => {
  const states = new Map<string, SequenceState>();
  return {
    states,
    load: async (sequence) => states.get(sequence),
    save: async (sequence, state) => void states.set(sequence, state),
  };
};

const eventOf = (sequence: number, given: Partial<ReceivedEvent> = {}): ReceivedEvent => ({
  id: `1-${sequence}-0`,
  kind: 'telemetry.sample',
  version: 1,
  sequence,
  occurredAt: sequence * 1_000,
  recordedAt: sequence * 1_000 + 500,
  plantId: '1',
  deviceSn: 'SN-1',
  data: {},
  ...given,
});

/** A receiver with what it handled, and which gaps it asked for. */
function open({
  cursor = memoryCursor(),
  ask = true,
  onHandle,
}: { cursor?: Cursor; ask?: boolean; onHandle?: (event: ReceivedEvent) => void } = {}) {
  const handled: ReceivedEvent[] = [];
  const gaps: Gap[] = [];
  const receiver = createReceiver({
    cursor,
    async handle(event) {
      onHandle?.(event);
      handled.push(event);
    },
    ...(ask && { askForReplay: async (gap) => void gaps.push(gap) }),
  });
  return { receiver, handled, gaps, numbers: () => handled.map(({ sequence }) => sequence) };
}

describe('a receiver', () => {
  test('handles each event once, whatever is repeated, restarts included', async () => {
    const cursor = memoryCursor();
    const { receiver, numbers } = open({ cursor });
    expect(await receiver.receive([eventOf(4), eventOf(5), eventOf(5), eventOf(4)])).toBe(2);
    expect(numbers()).toEqual([4, 5]);
    const next = open({ cursor });
    expect(await next.receiver.receive([eventOf(5), eventOf(6)])).toBe(1);
    expect(next.numbers()).toEqual([6]);
  });

  test('counts each device and kind for itself; plants and authorizations where there is no device', async () => {
    const { receiver, handled, gaps } = open();
    const others = [
      { deviceSn: 'SN-2' },
      { kind: 'device.state' },
      { deviceSn: null },
      { deviceSn: null, plantId: '2' },
    ];
    const authorizations = ['7', '8'].map((authorizationId) => ({
      kind: 'authorization.granted',
      deviceSn: null,
      plantId: null,
      data: { authorizationId },
    }));
    await receiver.receive([
      eventOf(1),
      ...[...others, ...authorizations].map((given, i) => eventOf(10 * i + 3, given)),
    ]);
    expect(handled).toHaveLength(7);
    expect(gaps).toEqual([]);
  });

  test('asks for what is missing, between the times of its neighbours, and handles it when it comes', async () => {
    const { receiver, numbers, gaps } = open();
    await receiver.receive([eventOf(1), eventOf(5)]);
    expect(gaps).toEqual([
      {
        first: 2,
        last: 4,
        after: 1_500,
        before: 5_500,
        isAskedFor: false,
        deviceSn: 'SN-1',
        plantId: '1',
        kind: 'telemetry.sample',
      },
    ]);
    expect(
      await receiver.receive([
        eventOf(1),
        eventOf(3),
        eventOf(2),
        eventOf(3),
        eventOf(4),
        eventOf(5),
        eventOf(6),
      ]),
    ).toBe(4);
    expect(numbers()).toEqual([1, 5, 3, 2, 4, 6]);
    expect(gaps, 'it asked once').toHaveLength(1);
  });

  test('asks once for each of several gaps', async () => {
    const { receiver, gaps } = open();
    await receiver.receive([eventOf(1), eventOf(3), eventOf(4), eventOf(6), eventOf(7)]);
    expect(gaps.map(({ first, last }) => [first, last])).toEqual([
      [2, 2],
      [5, 5],
    ]);
  });

  test('takes no gap for one where the application had no access', async () => {
    const { receiver, gaps } = open();
    await receiver.receive([eventOf(1), eventOf(9, { resumed: true }), eventOf(10)]);
    expect(gaps).toEqual([]);
  });

  test('asks again at the next event if asking failed', async () => {
    let failures = 2;
    const asked: number[] = [];
    const receiver = createReceiver({
      cursor: memoryCursor(),
      handle: async () => {},
      async askForReplay({ first }) {
        asked.push(first);
        if (failures-- > 0) throw new Error('away');
      },
    });
    await receiver.receive([eventOf(1), eventOf(3), eventOf(4), eventOf(5), eventOf(6)]);
    expect(asked).toEqual([2, 2, 2]);
  });

  test('notes nothing of an event that could not be handled, nor what follows', async () => {
    let isAway = true;
    const { receiver, numbers } = open({
      onHandle({ sequence }) {
        if (sequence === 2 && isAway) throw new Error('the database is away');
      },
    });
    const events = [eventOf(1), eventOf(2), eventOf(3)];
    await expect(receiver.receive(events)).rejects.toThrow('the database is away');
    expect(numbers()).toEqual([1]);
    isAway = false;
    expect(await receiver.receive(events)).toBe(2);
    expect(numbers()).toEqual([1, 2, 3]);
  });

  test('handles one event after the other, though they arrive at the same time', async () => {
    let running = 0;
    const receiver = createReceiver({
      cursor: memoryCursor(),
      async handle() {
        expect(++running).toBe(1);
        await new Promise(setImmediate);
        running -= 1;
      },
    });
    expect(
      await Promise.all([1, 1, 2, 2, 3].map((sequence) => receiver.receive([eventOf(sequence)]))),
    ).toEqual([1, 0, 1, 0, 1]);
  });

  test('leaves the made-up event of a test alone', async () => {
    const { receiver, handled } = open();
    expect(
      await receiver.receive([
        eventOf(1, { kind: 'test', plantId: null, deviceSn: null }),
        eventOf(9, { kind: 'test' }),
      ]),
    ).toBe(0);
    expect(handled).toEqual([]);
  });

  test('has handled each event once in the end, whatever was lost, repeated and reordered on the way', async () => {
    const step = fc.record({
      device: fc.nat(2),
      fate: fc.constantFrom('arrives', 'arrives', 'is lost', 'is repeated', 'is late'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const cursor = memoryCursor();
        const sent = [0, 1, 2].map((): ReceivedEvent[] => []);
        const toReplay: ReceivedEvent[] = [];
        const handled: string[] = [];
        const create = () =>
          createReceiver({
            cursor,
            handle: async ({ deviceSn, sequence }) => void handled.push(`${deviceSn} ${sequence}`),
            // As a server replays: all that was recorded in that time, what has arrived included.
            async askForReplay({ after, before, deviceSn }) {
              toReplay.push(
                ...sent[Number(deviceSn)]!.filter(
                  ({ recordedAt }) => recordedAt >= after && recordedAt <= before,
                ),
              );
            },
          });
        let late: ReceivedEvent[] = [];
        // The first of each device arrives: what was before it, nobody can miss.
        for (const { device, fate } of [0, 1, 2]
          .map((first) => ({ device: first, fate: 'arrives' }))
          .concat(steps)) {
          const event = eventOf(sent[device]!.length + 1, { deviceSn: `${device}` });
          sent[device]!.push(event);
          const receiver = create();
          if (fate === 'is late') late.push(event);
          else if (fate !== 'is lost')
            await receiver.receive(fate === 'is repeated' ? [event, event] : [event]);
          if (fate === 'arrives') await receiver.receive(late.splice(0));
        }
        // What was lost at the very end shows with the next event.
        late = [0, 1, 2].map((device) => {
          const event = eventOf(sent[device]!.length + 1, { deviceSn: `${device}` });
          sent[device]!.push(event);
          return event;
        });
        await create().receive(late);
        while (toReplay.length > 0) await create().receive(toReplay.splice(0, 3));
        expect(handled.toSorted()).toEqual(
          sent
            .flat()
            .map(({ deviceSn, sequence }) => `${deviceSn} ${sequence}`)
            .toSorted(),
        );
        expect([...cursor.states.values()].flatMap(({ missing }) => missing)).toEqual([]);
      }),
    );
  });
});

describe('asking for a replay', () => {
  const gap: Gap = {
    first: 2,
    last: 4,
    after: 1_500,
    before: 5_500,
    isAskedFor: false,
    deviceSn: 'SN-1',
    plantId: '1',
    kind: 'telemetry.sample',
  };
  const requests: { url: string; init: RequestInit }[] = [];
  const answering = (status: number, answer: object) =>
    createReplay({
      oauthUrl: 'https://cloud.example/',
      clientId: 'app',
      clientSecret: 's3cret',
      destination: '42',
      fetch: (async (url: string, init: RequestInit) => {
        requests.push({ url, init });
        return Response.json(answer, { status });
      }) as typeof fetch,
    });

  test('names the destination, the time of the gap and the device, with the credentials of the application', async () => {
    await answering(200, { success: true, code: '0', msg: 'success', data: { replays: 1 } })(gap);
    const { url, init } = requests.pop()!;
    expect(url).toBe('https://cloud.example/oauth/forwarding/replay');
    expect(init.headers).toMatchObject({ Authorization: `Basic ${btoa('app:s3cret')}` });
    expect(JSON.parse(init.body as string)).toEqual({
      id: '42',
      from: 1_500,
      until: 5_501,
      deviceSn: 'SN-1',
    });
  });

  test('leaves the device out where there is none', async () => {
    await answering(200, { success: true, code: '0', msg: 'success', data: { replays: 1 } })({
      ...gap,
      deviceSn: null,
    });
    expect(JSON.parse(requests.pop()!.init.body as string)).toEqual({
      id: '42',
      from: 1_500,
      until: 5_501,
    });
  });

  test('rejects with what the server said', async () => {
    const refusal = answering(200, {
      success: false,
      code: 'H0001',
      msg: 'invalid',
      data: { field: 'from', expected: 'a time that the log still has' },
    })(gap);
    await expect(refusal).rejects.toBeInstanceOf(HelioportError);
    await expect(refusal).rejects.toMatchObject({ code: 'H0001', operation: 'forwarding/replay' });
  });
});
