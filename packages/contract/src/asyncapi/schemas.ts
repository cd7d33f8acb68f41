import { deviceLink } from '../records/devices.ts';
import type { JsonSchema } from '../json-schema.ts';
import { measuringKinds } from '../operations/installation-devices.ts';
import { quantities } from '../quantities.ts';

const text = (description: string, maxLength: number): JsonSchema => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const instant = (description: string): JsonSchema => ({
  type: 'integer',
  description: `${description}, in epoch milliseconds`,
});
const object = (
  description: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[],
): JsonSchema => ({
  type: 'object',
  description,
  properties,
  required,
});
const list = (name: string, maxItems: number): JsonSchema => ({
  type: 'array',
  maxItems,
  items: reference(name),
});

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const sn = text('serial number of the device', 64);
const messageId: JsonSchema = {
  type: 'string',
  pattern: '^[ -~]{1,64}$',
  description: 'chosen by the collector, and repeated in the acknowledgement',
};

const outcome = {
  accepted: count('elements that were new or changed something'),
  duplicate: count('elements that were already known'),
  refused: {
    type: 'array',
    description: 'elements that were not stored',
    items: object(
      'an element and the reason',
      { index: count('position in the list, from 0'), reason: { type: 'string' } },
      ['index', 'reason'],
    ),
  } satisfies JsonSchema,
};

const dropped: JsonSchema = {
  type: 'array',
  description:
    'values of readings that were not stored, while the others were; only if there are any, and no more than the first thousand',
  items: object(
    'a value and the reason',
    {
      index: count('position of the reading in the list, from 0'),
      quantity: { type: 'string' },
      reason: { type: 'string' },
    },
    ['index', 'quantity', 'reason'],
  ),
};

/** The messages between collectors and the server, by name. */
export const collectorSchemas: Readonly<Record<string, JsonSchema>> = {
  Reading: object(
    'the measurements of one device at one instant',
    {
      sn,
      at: instant('when'),
      values: {
        type: 'object',
        description: 'values by quantity, each in the unit at the end of its name',
        additionalProperties: false,
        properties: Object.fromEntries(
          [...quantities].map(([name, { unit, description, bounds }]) => [
            name,
            {
              type: 'number',
              description,
              ...(bounds !== 'power' && { minimum: bounds[0], maximum: bounds[1] }),
              ...(unit !== '' && { 'x-unit': unit }),
            },
          ]),
        ),
      },
    },
    ['sn', 'at', 'values'],
  ),
  Alarm: object(
    'an alarm that a device raises or clears',
    {
      sn,
      code: text('the device’s own code', 32),
      at: instant('when'),
      level: {
        type: 'integer',
        enum: [1, 2, 3],
        description: 'severity; not needed when it is cleared',
      },
      message: text('its meaning', 200),
      cleared: { type: 'boolean', description: 'true: it has ended' },
    },
    ['sn', 'code', 'at'],
  ),
  Device: object(
    'a device’s description of itself',
    {
      sn,
      kind: {
        type: 'string',
        enum: [...measuringKinds],
        description: 'what it is, for the person who binds it',
      },
      model: text('model', 100),
      modelCode: text('code of the model, if it has one in addition to the name', 100),
      profile: text(
        'id of the profile by which it is asked and set, for devices that are asked by their registers; it decides which parameters the device has',
        100,
      ),
      firmware: text('version of the firmware', 100),
      displayVersion: {
        type: 'string',
        pattern: '^[0-9A-Fa-f]{1,8}$',
        description: 'version of the display’s firmware, on which some parameters depend',
      },
      ratedPowerW: { type: 'number', description: 'rated power', 'x-unit': 'W' },
      strings: { type: 'integer', minimum: 1, maximum: 32, description: 'number of string inputs' },
      holds: {
        type: 'string',
        pattern: '^[1-9][0-9]{0,4}(,[1-9][0-9]{0,4}){0,19}$',
        description:
          'parameters that it forgets by itself, and that the collector repeats, separated by commas',
      },
      link: deviceLink.schema,
    },
    ['sn'],
  ),
  Report: object(
    'a report',
    {
      id: messageId,
      sentAt: instant('time of sending by the collector’s clock'),
      readings: list('Reading', 10_000),
      alarms: list('Alarm', 1_000),
      devices: list('Device', 1_000),
    },
    [],
  ),
  Farewell: object('the collector is offline', { offline: { const: true } }, ['offline']),
  Result: object(
    'the result of an instruction',
    {
      id: text('of the instruction', 40),
      ok: {
        type: 'boolean',
        description: 'true: the device has confirmed it; false: it has not, or that is unknown',
      },
      value: { type: ['string', 'number'], description: 'the value that was read' },
      raw: { type: ['string', 'number'], description: 'the content of the registers' },
      error: text('why it failed', 1000),
    },
    ['id', 'ok'],
  ),
  Results: object('results of instructions', { id: messageId, results: list('Result', 1_000) }, [
    'results',
  ]),
  Outcome: object('the outcome for the elements of a list', outcome, [
    'accepted',
    'duplicate',
    'refused',
  ]),
  Acknowledgement: object(
    'the outcome of a report or of results',
    {
      id: {
        type: ['string', 'null'],
        description: 'id of the message; null if it has no readable one',
      },
      status: {
        type: 'integer',
        description:
          '200: accepted elements are durable; otherwise, the HTTP status of the refusal',
      },
      receivedAt: instant('time of arrival by the server’s clock'),
      ...outcome,
      dropped,
      droppedCount: count('how many values were dropped, where `dropped` does not name all'),
      alarms: reference('Outcome'),
      devices: reference('Outcome'),
      msg: { type: 'string', description: 'why it was refused' },
      retryAfterSeconds: {
        type: 'integer',
        description: 'send it again after this time',
        'x-unit': 's',
      },
    },
    ['id', 'status', 'receivedAt'],
  ),
  Instruction: object(
    'an instruction for one device',
    {
      id: text('of the instruction', 40),
      sn,
      action: { type: 'string', enum: ['read', 'write'] },
      parameter: text('number of the parameter in the profile of the device’s model', 40),
      encoding: object(
        'the form of the value; absent if the device’s model no longer has the parameter',
        {
          type: {
            type: 'string',
            enum: ['number', 'choice', 'bits', 'clock', 'slot', 'slots', 'times', 'text'],
          },
          unit: { type: 'string', description: 'of a number' },
          scale: { type: 'number', description: 'a number is the value in `unit` times this' },
        },
        ['type'],
      ),
      register: object(
        'the Modbus register of the parameter, one word of 16 bits; absent if it is not known',
        {
          address: count('address of the register'),
          readFunction: count('function that reads it'),
          writeFunction: count('function that writes it'),
        },
        ['address', 'readFunction', 'writeFunction'],
      ),
      value: { type: 'string', description: 'the value to write, exactly as it is' },
      word: count('the word that a write puts into the register'),
      oldValue: {
        type: 'string',
        description: 'the value that the device had when it was last read',
      },
      holdSeconds: {
        type: 'integer',
        description:
          'for what the device forgets by itself: repeat the write for so long, and then leave it to the device',
        'x-unit': 's',
      },
      withinSeconds: {
        type: 'integer',
        description: 'begin within this time after it has arrived, or not at all',
        'x-unit': 's',
      },
    },
    ['id', 'sn', 'action', 'parameter', 'withinSeconds'],
  ),
  Commands: object('instructions', { commands: list('Instruction', 1_000) }, ['commands']),
};
