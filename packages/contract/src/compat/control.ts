import type { JsonSchema } from '../json-schema.ts';
import type { Response } from '../operation.ts';
import type {
  ControlAnswer,
  ControlItem,
  MeterReadAnswer,
  ReadAnswer,
  ReadBatchAnswer,
  ReadValueRecord,
  ResultAnswer,
} from '../records/index.ts';

/** An order in the form in which the caller can ask about it later: the time and the id of its command. */
const orderIdOf = ({ at, id }: { readonly at: number; readonly id: string }): string =>
  `${at}_${id}`;

const timed = ({ at }: { readonly at: number }): Record<string, string> => ({ time: String(at) });

const text = (description: string): JsonSchema => ({ type: 'string', description });
const itemCode: JsonSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  description:
    '0: the device has confirmed it; `B0115`: its collector is offline; `B0600`: it did not answer properly; 1: it was not done, `msg` says why',
};

const utc = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

function wireItem({ sn, order, state, reason }: ControlItem, at: number): WireControlItem {
  const known = { sn, state, ...(order && { orderId: orderIdOf(order) }) };
  if (state === 'offline')
    return { code: 'B0115', msg: `${sn}: the collector of the device is offline`, ...known };
  if (state === 'confirmed' || state === 'verified')
    return { code: 0, msg: `${sn} Time: ${utc(at)}`, ...known };
  return {
    code: state === 'failed' ? 'B0600' : 1,
    msg: `${sn}: ${state}${reason ? `, ${reason}` : ''}`,
    ...known,
  };
}

export interface WireControlItem {
  readonly code: number | string;
  readonly msg: string;
  readonly sn: string;
  readonly state: ControlItem['state'];
  readonly orderId?: string;
}

const controlItemSchema: JsonSchema = {
  type: 'object',
  description: 'the outcome on one inverter',
  properties: {
    code: itemCode,
    msg: text('serial number and time, or why it was not done'),
    sn: text('serial number'),
    state: text(
      'an addition of this service: queued, sent, confirmed or verified; failed, refused, expired, cancelled or superseded; offline',
    ),
    orderId: text('for `result`'),
  },
  required: ['code', 'msg', 'sn', 'state'],
};

/** What `control` answers: one item for each inverter, in the order in which they were named. */
export const controlAnswer: Response<ControlAnswer, readonly WireControlItem[]> = {
  schema: { type: 'array', items: controlItemSchema },
  project: ({ at, items }) => items.map((item) => wireItem(item, at)),
  beside: timed,
};

export interface WireReadValue {
  readonly msg: string;
  readonly yuanzhi: string;
  readonly needLoop: string;
  readonly orderId: string;
}

const wireValue = (
  order: { readonly at: number; readonly id: string },
  read: ReadValueRecord | null,
): WireReadValue => ({
  msg: read?.value ?? '',
  yuanzhi: read?.raw ?? '',
  needLoop: read ? 'false' : 'true',
  orderId: orderIdOf(order),
});

const readSchema: JsonSchema = {
  type: 'object',
  properties: {
    msg: text('the value, as text'),
    yuanzhi: text('what the registers hold: the old value for `control`'),
    needLoop: text('"true": the device has not answered yet; ask `result` for this order'),
    orderId: text('for `result`'),
  },
  required: ['msg', 'yuanzhi', 'needLoop', 'orderId'],
};

/** What `atRead` answers. */
export const readAnswer: Response<ReadAnswer, WireReadValue> = {
  schema: readSchema,
  project: ({ order, read }) => wireValue(order, read),
  beside: (answer) => ({ ...timed(answer), orderId: orderIdOf(answer.order) }),
};

export interface WireBatchItem {
  readonly cid: string;
  readonly msg: string;
  readonly yuanzhi: string;
  readonly code?: string;
}

/** What `atReadBatch` answers: an array in an array. */
export const readBatchAnswer: Response<ReadBatchAnswer, readonly (readonly WireBatchItem[])[]> = {
  schema: {
    type: 'array',
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          cid: text('the parameter'),
          msg: text('its value, as text; empty if the device did not answer'),
          yuanzhi: text('what the registers hold'),
          code: text('`B0600`: the device did not answer'),
        },
        required: ['cid', 'msg', 'yuanzhi'],
      },
    },
  },
  project: ({ items }) => [
    items.map(({ parameter, read }) => ({
      cid: parameter,
      msg: read?.value ?? '',
      yuanzhi: read?.raw ?? '',
      ...(!read && { code: 'B0600' }),
    })),
  ],
  beside: timed,
};

export interface WireMeterItem {
  readonly nmiCode: string;
  readonly code: number | string;
  readonly sn: string;
  readonly value: string;
  readonly cid: string;
  readonly sendTime?: string;
}

/** What `atReadSAPN` answers: one item for each inverter and parameter. */
export const meterReadAnswer: Response<MeterReadAnswer, readonly WireMeterItem[]> = {
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        nmiCode: text('meter id of the plant; empty if it has none'),
        code: {
          ...itemCode,
          description:
            '0: it was read; `B0115`: its collector is offline; `B0600`: the device did not tell it',
        },
        sn: text('serial number of the inverter'),
        value: text('the value, as text; empty if it was not read'),
        cid: text('the parameter'),
        sendTime: text('when the device was asked'),
      },
      required: ['nmiCode', 'code', 'sn', 'value', 'cid'],
    },
  },
  project: ({ items }) =>
    items.map(({ nmiCode, sn, parameter, read, offline, sentAt }) => ({
      nmiCode: nmiCode ?? '',
      code: offline ? 'B0115' : read ? 0 : 'B0600',
      sn,
      value: read?.value ?? '',
      cid: parameter,
      ...(sentAt !== null && { sendTime: String(sentAt) }),
    })),
  beside: timed,
};

/** What `login` answers: the token in `data` and beside it, where existing clients look. */
export const logInAnswer: Response<{ readonly token: string }, { readonly csrfToken: string }> = {
  schema: {
    type: 'object',
    properties: {
      csrfToken: text('what clients send as the header `token`; nothing depends on it'),
    },
    required: ['csrfToken'],
  },
  project: ({ token }) => ({ csrfToken: token }),
  beside: ({ token }) => ({ csrfToken: token }),
};

/** What `result` answers: null until there is an outcome, then what `atRead` or `control` would have answered. */
export const resultAnswer: Response<
  ResultAnswer,
  WireReadValue | readonly WireControlItem[] | null
> = {
  schema: { anyOf: [{ type: 'null' }, readSchema, { type: 'array', items: controlItemSchema }] },
  project: ({ at, order, outcome }) => {
    if (outcome === null) return null;
    return 'state' in outcome ? [wireItem(outcome, at)] : wireValue(order, outcome);
  },
  beside: (answer) => ({ ...timed(answer), orderId: orderIdOf(answer.order) }),
};
